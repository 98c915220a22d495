// Requests to the page that are answered once: each has a number, under which its answer comes
// back.

export class Requests<T> {
  private readonly waiting = new Map<number, (answer: T) => void>();
  private last = 0;

  /** Sends a request under its number; resolves with the answer. */
  ask(send: (request: number) => void): Promise<T> {
    const request = ++this.last;
    const answer = new Promise<T>((resolve) => this.waiting.set(request, resolve));
    send(request);
    return answer;
  }

  answered(request: number, answer: T): void {
    this.waiting.get(request)?.(answer);
    this.waiting.delete(request);
  }
}
