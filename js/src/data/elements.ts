// Element types of files: how wide each is, and how its bits become numbers.

import { mapped, type TypedArray } from "../core/tensor/dtype.js";
import { halfOfBits } from "../core/tensor/half.js";

/**
 * Bits of elements, as unsigned integers.
 *
 * @example
 * const bits: data.Bits = data.npy(await data.toNpy(tensor([1]))).bits; // [0x3f800000]
 */
export type Bits = Uint8Array | Uint16Array | Uint32Array | BigUint64Array;

/** A type of elements in files. */
export interface Kind {
  /** Bytes of an element; two f4 share one. */
  readonly bytes: number;
  /** Whether it is an unsigned integer that needs u32. */
  readonly unsigned?: boolean;
  /** Elements of these bits. Calls `refuse` where one cannot be had as a number of 32 bits. */
  readonly convert: (bits: Bits, count: number, refuse: (what: string) => never) => TypedArray;
}

type Numbers = Exclude<Bits, BigUint64Array>;

/** A kind whose bits are those of a typed array. */
function same(bytes: number, array: new (buffer: ArrayBufferLike, offset: number, length: number) => TypedArray, unsigned = false): Kind {
  return { bytes, unsigned, convert: (bits) => new array(bits.buffer, bits.byteOffset, bits.length) };
}

/** A kind whose elements are made of their bits, one by one. */
function each(bytes: number, value: (bits: number) => number): Kind {
  return { bytes, convert: (bits) => mapped(new Float32Array(bits.length), bits as Numbers, value) };
}

/** A kind of 64-bit integers, of which those are read that fit into 32. */
function wide(signed: boolean): Kind {
  const convert: Kind["convert"] = (bits, count, refuse) => {
    const halves = new Int32Array(bits.buffer, bits.byteOffset, 2 * count);
    const values = signed ? new Int32Array(count) : new Uint32Array(count);
    for (let n = 0; n < count; n++) {
      const low = halves[2 * n] as number;
      if (halves[2 * n + 1] !== (signed ? low >> 31 : 0)) {
        const whole = BigInt[signed ? "asIntN" : "asUintN"](64, (bits as BigUint64Array)[n] as bigint);
        refuse(`element ${n} is ${whole}, which does not fit into 32 bits; \`bits\` has all 64`);
      }
      values[n] = low;
    }
    return values;
  };
  return { bytes: 8, unsigned: !signed, convert };
}

/** Floats of a byte or less: a sign, an exponent with a bias, and a mantissa. `isNaN` says which
 * magnitudes are none; where only the sign of 0 is none, that is NaN. */
function small(width: number, mantissa: number, bias: number, isNaN: (bits: number) => boolean): (bits: number) => number {
  return (bits) => {
    if (isNaN(bits)) return NaN;
    const exponent = (bits & (2 ** (width - 1) - 1)) >> mantissa;
    const fraction = (bits & (2 ** mantissa - 1)) / 2 ** mantissa;
    const magnitude = exponent === 0 ? fraction * 2 ** (1 - bias) : (1 + fraction) * 2 ** (exponent - bias);
    return bits >> (width - 1) ? -magnitude : magnitude;
  };
}

const word = new DataView(new ArrayBuffer(4));

/** The value of the bits of a bfloat16: the upper half of a float's. */
function brain(bits: number): number {
  word.setUint32(0, bits * 65536);
  return word.getFloat32(0);
}

const nibble = small(4, 1, 1, () => false);

const kinds: Record<string, Kind> = {
  bool: { bytes: 1, convert: (bits) => mapped(new Uint8Array(bits.length), bits as Numbers, (byte) => Number(byte !== 0)) },
  u8: same(1, Uint8Array),
  i8: same(1, Int8Array),
  u16: same(2, Uint16Array),
  i16: same(2, Int16Array),
  u32: same(4, Uint32Array, true),
  i32: same(4, Int32Array),
  u64: wide(false),
  i64: wide(true),
  f16: each(2, halfOfBits),
  bf16: each(2, brain),
  f32: same(4, Float32Array),
  f64: same(8, Float64Array),
  // Of the Open Compute Project's formats, E4M3 has no infinities, E8M0 is a power of two, and E2M1
  // (f4) has neither infinities nor NaN.
  f8_e4m3: each(1, small(8, 3, 7, (bits) => (bits & 127) === 127)),
  f8_e5m2: each(1, (bits) => halfOfBits(bits << 8)),
  f8_e4m3fnuz: each(1, small(8, 3, 8, (bits) => bits === 128)),
  f8_e5m2fnuz: each(1, small(8, 2, 16, (bits) => bits === 128)),
  f8_e8m0: each(1, (bits) => (bits === 255 ? NaN : 2 ** (bits - 127))),
  f4: {
    bytes: 0.5,
    convert: (bits, count) => {
      const values = new Float32Array(count);
      for (let n = 0; n < count; n++) values[n] = nibble((Number(bits[n >> 1]) >> (4 * (n & 1))) & 15);
      return values;
    },
  },
};

/** Whether there is a type of elements of this name. */
export function isKind(dtype: string): boolean {
  return Object.hasOwn(kinds, dtype);
}

/** The type of elements of this name, which there is. */
export function kindOf(dtype: string): Kind {
  return kinds[dtype] as Kind;
}

/** The bits of the elements that fill `bytes`: copied, unless they are the caller's `own` and can
 * be used where they are. */
export function bitsOf(dtype: string, bytes: Uint8Array, { little = true, own = false } = {}): Bits {
  const width = Math.ceil(kindOf(dtype).bytes);
  const mine = own && little && bytes.byteOffset % width === 0 ? bytes : bytes.slice();
  for (let at = 0; !little && at < mine.length; at += width) {
    for (let n = 0; n < width >> 1; n++) [mine[at + n], mine[at + width - 1 - n]] = [mine[at + width - 1 - n] as number, mine[at + n] as number];
  }
  const array = width === 1 ? Uint8Array : width === 2 ? Uint16Array : width === 4 ? Uint32Array : BigUint64Array;
  return new array(mine.buffer as ArrayBuffer, mine.byteOffset, mine.length / width);
}
