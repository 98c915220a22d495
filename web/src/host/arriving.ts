// Bytes of a file that several take, each from the first piece on, while it is still on its way:
// a worker compiles what is there, and the next worker needs no request.

export type Piece = Uint8Array<ArrayBuffer>;

export class Arriving {
  private readonly pieces: Piece[] = [];
  private readonly takers = new Set<() => void>();
  /** Resolves at the file's end; rejected where it does not come whole. */
  private readonly whole: Promise<void>;
  private ended = false;

  constructor(file: Promise<ReadableStream<Piece>>) {
    this.whole = this.receive(file).finally(() => {
      this.ended = true;
      this.tell();
    });
    // Those who take are informed.
    this.whole.catch(() => undefined);
  }

  /** Calls with each piece. Resolves after the last; rejected where the rest does not come. */
  async take(each: (piece: Piece) => void): Promise<void> {
    for (let taken = 0; ; ) {
      while (taken < this.pieces.length) each(this.pieces[taken++]!);
      if (this.ended) return this.whole;
      await new Promise<void>((resolve) => this.takers.add(resolve));
    }
  }

  private async receive(file: Promise<ReadableStream<Piece>>): Promise<void> {
    const reader = (await file).getReader();
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      this.pieces.push(next.value);
      this.tell();
    }
  }

  private tell(): void {
    for (const taker of this.takers) taker();
    this.takers.clear();
  }
}
