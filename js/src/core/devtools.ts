// How does a tensor look in a browser's console? As in Node's, where custom formatters are turned on in the DevTools' settings.

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
