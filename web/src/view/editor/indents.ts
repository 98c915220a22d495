// Depth of a line's indentation, by which a line that does not fit goes on: as a class, since the
// page's policy allows no style in an attribute. Code has the same classes with its editor and
// before it.

/** The deepest indentation that is marked. */
export const DEEPEST = 16;

export const indentClass = (line: string): string => `indent-${Math.min(DEEPEST, /^ */.exec(line)![0].length)}`;
