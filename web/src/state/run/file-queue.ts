// Queue of file requests. A few files load at once, in the order of the requests, however many a
// cell asks for; beyond a limit on waiting requests it refuses more.

import type { FileReply } from "../../protocol/messages";

export type ReadFile = (path: string) => Promise<FileReply>;

const AT_ONCE = 4;
export const FILES_WAITING = 1_000;

export class FileQueue {
  private waiting: (() => Promise<void>)[] = [];
  private fetching = 0;

  /** False where too many are waited for already. */
  add(fetchFile: () => Promise<void>): boolean {
    if (this.waiting.length >= FILES_WAITING) return false;
    this.waiting.push(fetchFile);
    this.next();
    return true;
  }

  /** Has a file read in its turn, and `reply` called with it, or with why it is not. */
  answer(path: string, readFile: ReadFile, reply: (reply: FileReply) => void): void {
    if (this.add(async () => reply(await readFile(path)))) return;
    const message = `file(${JSON.stringify(path.slice(0, 200))}): ${FILES_WAITING.toLocaleString("en")} files are already being fetched`;
    reply({ ok: false, failure: "failed", message });
  }

  /** Nobody waits any more. */
  clear(): void {
    this.waiting = [];
  }

  private next(): void {
    while (this.fetching < AT_ONCE && this.waiting.length > 0) {
      this.fetching++;
      void this.waiting.shift()!().finally(() => {
        this.fetching--;
        this.next();
      });
    }
  }
}
