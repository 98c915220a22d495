// What does every page of the first result do? Computes, and tells how long that took since the page was asked for.

/** @param {() => Promise<number>} compute */
export async function first(compute) {
  try {
    const value = await compute();
    // Since the beginning of the navigation, which is what performance counts from.
    Object.assign(window, { cold: { ms: performance.now(), value } });
  } catch (error) {
    Object.assign(window, { cold: { error: String(error) } });
  }
}
