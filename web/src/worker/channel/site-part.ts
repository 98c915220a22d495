// Parts of the site that the worker needs once: it asks the page, which fetches them.

export class SitePart<Part, Made = Part> {
  private making: Promise<Made> | null = null;
  private answer: ((part: Part | null) => void) | null = null;

  /** `ask` asks the page; `missing` is the error of a cell where the part could not be fetched. */
  constructor(
    private readonly ask: () => void,
    private readonly missing: string,
    private readonly make: (part: Part) => Made | Promise<Made>,
  ) {}

  /** What the page answers; null where the part could not be fetched. */
  readonly arrived = (part: Part | null): void => this.answer?.(part);

  /** What is made of it. Rejected where it could not be fetched; who asks next tries again. */
  readonly load = (): Promise<Made> =>
    (this.making ??= this.fetch().catch((error: unknown) => {
      this.making = null;
      throw error;
    }));

  private async fetch(): Promise<Made> {
    const answer = new Promise<Part | null>((resolve) => (this.answer = resolve));
    this.ask();
    const part = await answer;
    if (part === null) throw new Error(this.missing);
    return this.make(part);
  }
}
