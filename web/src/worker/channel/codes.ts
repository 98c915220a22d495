// Code of the latest runs, so that an error can be explained by what is written where it arose.

const MOST = 40;
const codes = new Map<number, string>();

export function noteCode(run: number, code: string): void {
  codes.set(run, code);
  if (codes.size > MOST) codes.delete(codes.keys().next().value!);
}

/** A line of a run's code, as it runs; "" where it is not known any more. */
export const lineOf = (run: number, line: number): string => codes.get(run)?.split("\n", line)[line - 1] ?? "";
