// The worker's half of the heartbeat. A worker inside it, with a thread of its own, answers the
// page over a port that no cell can reach, also while a cell keeps the outer worker busy. It ends
// when the outer worker ends, whatever the reason.

const HEART = "addEventListener('message', ({ ports: [port] }) => { port.onmessage = () => port.postMessage(0); }, { once: true });";

export function startHeart(port: MessagePort): void {
  const heart = new Worker(`data:text/javascript,${encodeURIComponent(HEART)}`, { name: "weft heart" });
  // Where workers make no workers there is no heart, and the page does without.
  heart.addEventListener("error", (event) => event.preventDefault());
  heart.postMessage(null, [port]);
}
