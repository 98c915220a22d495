// Vocabulary of completion: the names that a cell may use, as the build read them from the
// package's own types, the notebook's functions and the language. Each name has its type, its
// signature, and the first paragraph of its documentation.

/**
 * A type, as far as completion needs it: the name of one whose members are listed; `A`rray and
 * `P`romise of a type; a `T`uple; a `F`unction by what it returns; a `C`lass by what `new` makes,
 * and what it has itself; `E`, the elements of the array whose member this is; null where nothing
 * is known.
 */
export type TypeRef = string | null | { readonly members: readonly Entry[] } | readonly ["A" | "P" | "F", TypeRef] | readonly ["C", TypeRef, TypeRef] | readonly ["T", ...TypeRef[]] | readonly ["E"];

/** Name, signature ("" where the type says it all), documentation, type. */
export type Entry = readonly [name: string, signature: string, doc: string, type: TypeRef, takes?: Takes];

/** Which objects of options a function takes as its arguments, by their place: names of
 * `Vocabulary.options`. */
export type Takes = Readonly<Record<number, readonly string[]>>;

export interface Vocabulary {
  readonly library: readonly Entry[];
  /** What `weft-gpu/kernel` exports. */
  readonly kernels: readonly Entry[];
  readonly notebook: readonly Entry[];
  readonly language: readonly Entry[];
  /** The keys of each type of options. */
  readonly options?: Readonly<Record<string, readonly Entry[]>>;
  /** The members of named types. */
  readonly types: Readonly<Record<string, readonly Entry[]>>;
}

export const isObject = (type: TypeRef): type is { readonly members: readonly Entry[] } => typeof type === "object" && type !== null && !Array.isArray(type);

const found = new WeakMap<readonly Entry[], Map<string, Entry>>();

/** The entry of that name. */
export function entryOf(entries: readonly Entry[], name: string): Entry | undefined {
  let index = found.get(entries);
  if (!index) found.set(entries, (index = new Map(entries.map((entry) => [entry[0], entry]))));
  return index.get(name);
}

export function globalEntry(vocabulary: Vocabulary, name: string): Entry | undefined {
  return entryOf(vocabulary.notebook, name) ?? entryOf(vocabulary.library, name) ?? entryOf(vocabulary.kernels, name) ?? entryOf(vocabulary.language, name);
}

/** The members of a value of that type; none where nothing is known of it. */
export function membersOf(vocabulary: Vocabulary, type: TypeRef): readonly Entry[] {
  if (type === null) return [];
  if (typeof type === "string") return Object.hasOwn(vocabulary.types, type) ? vocabulary.types[type]! : [];
  if (isObject(type)) return type.members;
  switch (type[0]) {
    case "A":
    case "T":
      return membersOf(vocabulary, "Array");
    case "P":
      return membersOf(vocabulary, "Promise");
    case "C":
      return membersOf(vocabulary, type[2]);
    default:
      return [];
  }
}

/** What an array's elements are. */
export function elementOf(type: TypeRef): TypeRef {
  if (typeof type === "string" && /^(?:Float|Int|Uint)\d+(?:Clamped)?Array$/.test(type)) return "number";
  if (!Array.isArray(type)) return null;
  const [kind, ...parts] = type as readonly [string, ...TypeRef[]];
  if (kind === "A") return parts[0] ?? null;
  if (kind !== "T") return null;
  return parts.every((part) => JSON.stringify(part) === JSON.stringify(parts[0])) ? (parts[0] ?? null) : null;
}

/** The type of a member of a value of `owner`. */
export function memberType(owner: TypeRef, [, , , type]: Entry): TypeRef {
  const fill = (part: TypeRef): TypeRef => {
    if (!Array.isArray(part)) return part;
    if (part[0] === "E") return elementOf(owner);
    const [kind, ...inner] = part as readonly [string, ...TypeRef[]];
    return [kind, ...inner.map(fill)] as unknown as TypeRef;
  };
  return fill(type);
}
