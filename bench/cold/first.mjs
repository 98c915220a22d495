// What does every page of the first result do? Computes, and tells how long that took since the page was asked for.

/** @param {() => Promise<number>} compute */
export async function first(compute) {
  try {
    const { requestDevice } = GPUAdapter.prototype;
    /** When the device was there: until then the browser starts its GPU process, for everyone alike. */
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
