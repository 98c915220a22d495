// How is a message that crossed a trust boundary checked? With small combinators: each is a predicate at
// run time and a type at compile time, so a message's shape is written once.

export interface Schema<T> {
  (value: unknown): value is T;
}
export type Infer<S> = S extends Schema<infer T> ? T : never;

type Fields = Record<string, Schema<unknown>>;
type Value<F extends Fields> = { -readonly [K in keyof F]: Infer<F[K]> };

const schema = <T>(test: (value: unknown) => boolean): Schema<T> => test as Schema<T>;

/** A string no longer than `limit` characters: output is untrusted, and a page must not choke on it. */
export const text = (limit = 100_000) => schema<string>((v) => typeof v === "string" && v.length <= limit);
export const number = schema<number>((v) => typeof v === "number");
export const boolean = schema<boolean>((v) => typeof v === "boolean");
/** An integer in [low, high]. */
export const integer = (low: number, high: number) =>
  schema<number>((v) => typeof v === "number" && Number.isInteger(v) && v >= low && v <= high);
export const oneOf = <const T extends string>(...choices: readonly T[]) =>
  schema<T>((v) => typeof v === "string" && (choices as readonly string[]).includes(v));
export const nullable = <T>(inner: Schema<T>) => schema<T | null>((v) => v === null || inner(v));
/** An instance of a class, named lazily: not every place that checks messages has it. */
export const instance = <T>(type: () => abstract new (...args: never[]) => T) =>
  schema<T>((v) => v instanceof type());

export const array = <T>(item: Schema<T>, limit = 10_000) =>
  schema<T[]>((v) => Array.isArray(v) && v.length <= limit && v.every((element) => item(element)));

export const record = <T>(item: Schema<T>, limit = 1_000) =>
  schema<Record<string, T>>((v) => {
    if (typeof v !== "object" || v === null || Array.isArray(v)) return false;
    const values = Object.values(v);
    return values.length <= limit && values.every((element) => item(element));
  });

/** An object that has every one of `fields`. */
export const object = <F extends Fields>(fields: F) => {
  const entries = Object.entries(fields);
  return schema<Value<F>>((v) => {
    if (typeof v !== "object" || v === null) return false;
    return entries.every(([key, field]) => field((v as Record<string, unknown>)[key]));
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
  });
};
