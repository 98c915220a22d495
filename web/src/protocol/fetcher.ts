// Messages between the page and the frame that fetches from other hosts.

/** The page's first message: the origins that the frame may reach from now on. */
export interface FetcherStart {
  readonly type: "weft-fetcher";
  readonly origins: readonly string[];
}

/** One request; the answer comes by the port that is sent along. */
export interface FetcherRequest {
  readonly url: string;
  readonly most: number;
  /** Milliseconds that it may take, and that it may stand still. */
  readonly time: number;
  readonly silence: number;
}

export type FetcherReply =
  | { readonly ok: true; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly ok: false; readonly failure: "status" | "large" | "slow" | "elsewhere" | "unreachable"; readonly status: number };
