// Types of the build's virtual modules. `virtual:runner` has the names of the isolated runner's
// files; see build/runner.ts.
declare module "virtual:runner" {
  const files: { readonly worker: string; readonly wasm: string; readonly rest: string; readonly kernels: string; readonly inspector: string; readonly page: string; readonly fetcher: string };
  export default files;
}
declare module "*.css" {}
/** The address of a worker's script. */
declare module "*?worker&url" {
  const url: string;
  export default url;
}
/** What the build has read of the notebook that opens by itself; see build/first.ts. */
declare module "virtual:first" {
  import type { Prepared } from "./state/prose/prepared";
  const prepared: Prepared;
  export default prepared;
}
/** What the build has read of the types of names; see build/types.ts. */
declare module "virtual:types" {
  import type { Vocabulary } from "./state/code/vocabulary";
  const vocabulary: Vocabulary;
  export default vocabulary;
}
/** What the page's reference shows; see build/types.ts. */
declare module "virtual:reference" {
  export type ReferenceEntry = readonly [path: string, signature: string, doc: string, example: string];
  const entries: readonly ReferenceEntry[];
  export default entries;
}
