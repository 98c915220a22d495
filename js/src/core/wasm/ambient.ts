// Types that only some environments declare. Looking a type up, rather than naming it, gives
// `never` to TypeScript without the browser's types (in Node, in a worker), where it would
// otherwise find an unknown name in the package.

/** Instances of the global class `Name`, or `never` where there is none. */
export type Ambient<Name extends string> = typeof globalThis extends Record<Name, { prototype: infer T }> ? T : never;

/** A compiled `WebAssembly.Module`, likewise. */
export type AmbientModule = typeof globalThis extends { WebAssembly: { Module: { prototype: infer T } } } ? T : never;
