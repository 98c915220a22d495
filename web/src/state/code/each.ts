// Tables of names that have one answer.

/** One answer to several names. */
export const each = <T>(names: readonly string[], say: (name: string) => T): Record<string, T> => Object.fromEntries(names.map((name) => [name, say(name)]));
