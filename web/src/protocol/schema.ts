// Schema validation for messages that cross a trust boundary. Each combinator is a predicate at run
// time and a type at compile time, so that a message's shape is written once. Each also copies the
// fields that it allows and drops all others.

export interface Schema<T> {
  (value: unknown): value is T;
  /** Of a value that passed: its known fields, and how much of the page's memory they take, about,
   * in bytes. */
  copy(value: T, weigh: (bytes: number) => void): T;
}
export type Infer<S> = S extends Schema<infer T> ? T : never;

type Fields = Record<string, Schema<unknown>>;
type Value<F extends Fields> = { -readonly [K in keyof F]: Infer<F[K]> };

type Weigh = (bytes: number) => void;

function schema<T>(test: (value: unknown) => boolean, copy: (value: T, weigh: Weigh) => T = (value, weigh) => (weigh(8), value)): Schema<T> {
  return Object.assign(test as (value: unknown) => value is T, { copy });
}

/** A string no longer than `limit` characters: output is untrusted, and a page must not choke on
 * it. */
export const text = (limit = 100_000) => schema<string>((v) => typeof v === "string" && v.length <= limit, (v, weigh) => (weigh(16 + 2 * v.length), v));
/** A string of a form, and no longer than `limit` characters. */
export const matching = (form: RegExp, limit = 1_000) => schema<string>((v) => typeof v === "string" && v.length <= limit && form.test(v), (v, weigh) => (weigh(16 + 2 * v.length), v));
export const number = schema<number>((v) => typeof v === "number");
export const finite = schema<number>((v) => typeof v === "number" && Number.isFinite(v));
export const boolean = schema<boolean>((v) => typeof v === "boolean");
/** An integer in [low, high]. */
export const integer = (low: number, high: number) =>
  schema<number>((v) => typeof v === "number" && Number.isInteger(v) && v >= low && v <= high);
export const oneOf = <const T extends string>(...choices: readonly T[]) =>
  schema<T>((v) => typeof v === "string" && (choices as readonly string[]).includes(v));
export const nullable = <T>(inner: Schema<T>) => schema<T | null>((v) => v === null || inner(v), (v, weigh) => (v === null ? v : inner.copy(v, weigh)));
export const optional = <T>(inner: Schema<T>) => schema<T | undefined>((v) => v === undefined || inner(v), (v, weigh) => (v === undefined ? v : inner.copy(v, weigh)));
/** An instance of a class, named lazily: not every place that checks messages has it. */
export const instance = <T>(type: () => abstract new (...args: never[]) => T) =>
  schema<T>((v) => v instanceof type());

/** Numbers in a typed array, at most so many. The copy has memory of its own, which nobody else can
 * change, and no more than it needs. */
export const floats = (limit: number) =>
  schema<Float64Array>((v) => v instanceof Float64Array && v.length <= limit, (v, weigh) => (weigh(16 + v.byteLength), new Float64Array(v)));

/** Samples of a sound in a typed array, at most so many; the copy has memory of its own. */
export const samples = (limit: number) =>
  schema<Int16Array<ArrayBuffer>>((v) => v instanceof Int16Array && v.length <= limit, (v, weigh) => (weigh(16 + v.byteLength), new Int16Array(v)));

export const array = <T>(item: Schema<T>, limit = 10_000) =>
  schema<T[]>(
    (v) => {
      if (!Array.isArray(v) || v.length > limit) return false;
      // A hole is no element: `every` would pass over it.
      for (let i = 0; i < v.length; i++) if (!item(v[i])) return false;
      return true;
    },
    (v, weigh) => (weigh(16), v.map((element) => item.copy(element, weigh))),
  );

/** Two values, in order. */
export const tuple = <A, B>(first: Schema<A>, second: Schema<B>) =>
  schema<[A, B]>((v) => Array.isArray(v) && v.length === 2 && first(v[0]) && second(v[1]), ([a, b], weigh) => [first.copy(a, weigh), second.copy(b, weigh)]);

export const record = <T>(item: Schema<T>, limit = 1_000) =>
  schema<Record<string, T>>((v) => {
    if (typeof v !== "object" || v === null || Array.isArray(v)) return false;
    const values = Object.values(v);
    return values.length <= limit && values.every((element) => item(element));
  }, (v, weigh) => Object.fromEntries(Object.entries(v).map(([key, element]) => (weigh(32 + 2 * key.length), [key, item.copy(element, weigh)]))));

/** An object that has every one of `fields`. */
export const object = <F extends Fields>(fields: F) => {
  const entries = Object.entries(fields);
  return schema<Value<F>>((v) => {
    if (typeof v !== "object" || v === null) return false;
    return entries.every(([key, field]) => field((v as Record<string, unknown>)[key]));
  }, (v, weigh) => {
    const value = v as Record<string, unknown>;
    return Object.fromEntries(entries.map(([key, field]) => (weigh(8), [key, field.copy(value[key], weigh)]))) as Value<F>;
  });
};

/** A discriminated union: the member is chosen by the string under `tag`. */
export const union = <Tag extends string, M extends Record<string, Fields>>(tag: Tag, members: M) => {
  const checks = new Map(Object.entries(members).map(([name, fields]) => [name, object(fields)]));
  type Union = { [K in keyof M & string]: Record<Tag, K> & Value<M[K]> }[keyof M & string];
  return schema<Union>((v) => {
    if (typeof v !== "object" || v === null) return false;
    const name = (v as Record<string, unknown>)[tag];
    return typeof name === "string" && checks.get(name)?.(v) === true;
  }, (v, weigh) => {
    const name = (v as Record<string, string>)[tag]!;
    return { [tag]: name, ...checks.get(name)!.copy(v as never, weigh) } as unknown as Union;
  });
};
