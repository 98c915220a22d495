// In an exported page: a button loads the notebook from its site, in a frame that says how high it
// is.
const run = document.getElementById("run");
run.hidden = false;
run.addEventListener("click", () => {
  const frame = document.createElement("iframe");
  frame.title = document.title;
  frame.src = run.dataset.live;
  addEventListener("message", ({ source, data }) => {
    if (source !== frame.contentWindow || data?.type !== "weft-height" || !(data.height > 0)) return;
    frame.style.height = `${Math.min(Number(data.height), 30000)}px`;
    document.getElementById("offline").hidden = true;
  });
  setTimeout(() => (document.getElementById("offline").hidden = frame.style.height !== ""), 10000);
  document.querySelector("main").replaceChildren(frame);
  run.remove();
  frame.focus();
});
