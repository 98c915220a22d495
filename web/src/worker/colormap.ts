// Which colour does a number get? A few maps, each given by stops that are mixed linearly in sRGB.

export type Colormap = "gray" | "viridis" | "magma" | "tide";
export const COLORMAPS: readonly Colormap[] = ["gray", "viridis", "magma", "tide"];

/** viridis and magma: Smith and van der Walt's maps (CC0), sampled; tide: diverging, indigo to madder over linen. */
const STOPS: Record<Colormap, readonly string[]> = {
  gray: ["#000000", "#ffffff"],
  viridis: ["#440154", "#482878", "#3e4a89", "#31688e", "#26828e", "#1f9e89", "#35b779", "#6ece58", "#b5de2b", "#fde725"],
  magma: ["#000004", "#180f3d", "#440f76", "#721f81", "#9e2f7f", "#cd4071", "#f1605d", "#fd9668", "#feca8d", "#fcfdbf"],
  tide: ["#26337a", "#4a63b0", "#93a7d6", "#f3efe6", "#e3a48f", "#c05a4b", "#7d2630"],
};

export const stopsOf = (map: Colormap): string[] => [...STOPS[map]];

/** 256 entries of red, green, blue. */
export function tableOf(map: Colormap): Uint8ClampedArray {
  const stops = STOPS[map].map((stop) => [1, 3, 5].map((at) => parseInt(stop.slice(at, at + 2), 16)));
  const table = new Uint8ClampedArray(256 * 3);
  for (let i = 0; i < 256; i++) {
    const at = (i / 255) * (stops.length - 1);
    const low = Math.min(Math.floor(at), stops.length - 2);
    for (let channel = 0; channel < 3; channel++) {
      const from = stops[low]![channel]!;
      table[i * 3 + channel] = from + (stops[low + 1]![channel]! - from) * (at - low);
    }
  }
  return table;
}
