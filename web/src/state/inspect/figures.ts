// Figures of the inspector as people read them.

/** `1.5 MB`: bytes in powers of ten. */
export function bytesText(bytes: number): string {
  const units = ["bytes", "KB", "MB", "GB", "TB"];
  let [value, unit] = [bytes, 0];
  while (value >= 1_000 && unit < units.length - 1) [value, unit] = [value / 1_000, unit + 1];
  return unit === 0 ? `${bytes} bytes` : `${value < 10 ? value.toFixed(2) : value < 100 ? value.toFixed(1) : value.toFixed(0)} ${units[unit]}`;
}

/** `12.3 µs`, of nanoseconds. */
export function timeText(nanoseconds: number): string {
  const units = ["ns", "µs", "ms", "s"];
  let [value, unit] = [nanoseconds, 0];
  while (value >= 1_000 && unit < units.length - 1) [value, unit] = [value / 1_000, unit + 1];
  return `${unit === 0 ? value.toFixed(0) : value < 10 ? value.toFixed(2) : value < 100 ? value.toFixed(1) : value.toFixed(0)} ${units[unit]}`;
}

/** `37 %`; less than one per cent says so. */
export const shareText = (share: number): string => (share > 0 && share < 0.01 ? "< 1 %" : `${Math.round(share * 100)} %`);

/** `1.2 G`, of operations or bytes in a second. */
export function rateText(rate: number): string {
  const units = ["", " K", " M", " G", " T"];
  let [value, unit] = [rate, 0];
  while (value >= 1_000 && unit < units.length - 1) [value, unit] = [value / 1_000, unit + 1];
  return `${value < 10 ? value.toFixed(1) : value.toFixed(0)}${units[unit]}`;
}

const view = new DataView(new ArrayBuffer(4));

/** The number that 32 bits are, as text. */
export function elementText(bits: number, dtype: string): string {
  view.setUint32(0, bits);
  if (dtype === "f32" || dtype === "f16") return numberText(view.getFloat32(0));
  if (dtype === "i32" || dtype === "i8") return String(view.getInt32(0));
  return dtype === "bool" ? String(bits !== 0) : String(bits);
}

/** The f32 that 32 bits are. */
export function floatOf(bits: number): number {
  view.setUint32(0, bits);
  return view.getFloat32(0);
}

export const numberText = (value: number): string => (Number.isFinite(value) ? String(Number(value.toPrecision(6))) : value > 0 ? "∞" : value < 0 ? "−∞" : "NaN");

/** `1 kernel`, `3 kernels`. */
export const countText = (count: number, what: string, several = `${what}s`): string => `${count.toLocaleString("en")} ${count === 1 ? what : several}`;
