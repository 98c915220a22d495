// How does the page know that this worker lives while a cell keeps it busy? A worker inside it, with a thread of its
// own, answers for it over a port that no cell can reach. It ends when this worker ends, whatever the reason.

const HEART = "addEventListener('message', ({ ports: [port] }) => { port.onmessage = () => port.postMessage(0); }, { once: true });";

export function startHeart(port: MessagePort): void {
  const heart = new Worker(`data:text/javascript,${encodeURIComponent(HEART)}`, { name: "weft heart" });
  // Where workers make no workers there is no heart, and the page does without.
  heart.addEventListener("error", (event) => event.preventDefault());
  heart.postMessage(null, [port]);
}
