// Measurement of a page's first result: it computes, and reports the time since the page was
// requested.

/** @param {() => Promise<number>} compute */
export async function first(compute) {
  try {
    const { requestDevice } = GPUAdapter.prototype;
    /** When the device was there: until then the browser starts its GPU process, for everyone
     * alike. */
    let opened = Number.NaN;
    GPUAdapter.prototype.requestDevice = async function (descriptor) {
      const device = await requestDevice.call(this, descriptor);
      opened = performance.now();
      return device;
    };
    const value = await compute();
    // Since the beginning of the navigation, which is what performance counts from.
    const ms = performance.now();
    Object.assign(window, { cold: { ms, own: ms - opened, value } });
  } catch (error) {
    Object.assign(window, { cold: { error: String(error) } });
  }
}
