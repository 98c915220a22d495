// A file that is no notebook; the message names the place that is wrong.

export class BadNotebook extends Error {
  override readonly name = "BadNotebook";
}
