// Passes the microphone's samples to the page, a few milliseconds at a time.
class Tap extends AudioWorkletProcessor {
  process([[samples] = []]) {
    if (samples) this.port.postMessage(samples.slice());
    return true;
  }
}
registerProcessor("weft-tap", Tap);
