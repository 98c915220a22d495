// Custom formatter for the browser's DevTools. Where the reader has turned custom formatters on, a
// tensor looks in the console as it does in Node's.

import { Tensor } from "./tensor.js";

/** What Chrome, Edge and Firefox call for each value they show; null leaves a value to others. */
interface Formatter {
  header(value: unknown): readonly unknown[] | null;
  hasBody(value: unknown): boolean;
}

let installed = false;

/** Adds a formatter for tensors to those of the page or worker, once. */
export function installFormatter(): void {
  if (installed) return;
  installed = true;
  const scope = globalThis as { devtoolsFormatters?: Formatter[] };
  scope.devtoolsFormatters = [
    ...(scope.devtoolsFormatters ?? []),
    {
      header: (value) => (value instanceof Tensor ? ["span", { style: "white-space: pre" }, value.toString()] : null),
      hasBody: () => false,
    },
  ];
}
