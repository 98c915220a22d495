// Bytes that several take while they arrive.
import { expect, it } from "vitest";
import { Arriving } from "../../src/host/arriving";
import type { Piece } from "../../src/host/arriving";

const turn = () => new Promise((resolve) => setTimeout(resolve));

function file() {
  let source!: ReadableStreamDefaultController<Piece>;
  const stream = new ReadableStream<Piece>({ start: (controller) => void (source = controller) });
  return { stream, source };
}

it("gives each who takes every piece, in order, as it comes", async () => {
  const { stream, source } = file();
  const arriving = new Arriving(Promise.resolve(stream));
  const [first, second]: [number[], number[]] = [[], []];
  const taken = arriving.take((piece) => first.push(...piece));
  source.enqueue(Uint8Array.of(1, 2));
  await turn();
  expect(first).toEqual([1, 2]);
  const also = arriving.take((piece) => second.push(...piece));
  source.enqueue(Uint8Array.of(3));
  source.close();
  await Promise.all([taken, also]);
  expect([first, second]).toEqual([[1, 2, 3], [1, 2, 3]]);
  const later: number[] = [];
  await arriving.take((piece) => later.push(...piece));
  expect(later).toEqual([1, 2, 3]);
});

it("rejects for all where the file ends early, or does not come", async () => {
  const { stream, source } = file();
  const broken = new Arriving(Promise.resolve(stream));
  const taken = broken.take(() => undefined);
  source.enqueue(Uint8Array.of(1));
  source.error(new Error("the line broke"));
  await expect(taken).rejects.toThrow("the line broke");
  await expect(broken.take(() => undefined)).rejects.toThrow("the line broke");
  await expect(new Arriving(Promise.reject(new Error("404"))).take(() => undefined)).rejects.toThrow("404");
});
