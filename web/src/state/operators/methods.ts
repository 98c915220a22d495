// A notebook whose operators on tensors are written out, for programs that run outside of it. What
// a kernel calls stays as it is: a kernel is compiled from the text of its functions, and computes
// with numbers alone.

import { parse } from "acorn";
import type { AnyNode, CallExpression, Program } from "acorn";
import { kernelFunctions, makesKernel } from "../code/kernels";
import { namesIn, topLevelNames } from "../code/names";
import { allOf } from "../code/syntax";
import type { Vocabulary } from "../code/vocabulary";
import type { Cells } from "../notebook/notebook";
import { mayHaveComplex, spelled, topLevelFunctions } from "./spelled";

export interface Written {
  readonly cells: Cells;
  /** What functions read before that have another text now, by that: any of them may be given to a
   * kernel when the program runs. */
  readonly texts: ReadonlyMap<string, string>;
}

/** A notebook's cells, parsed: null for texts and for what cannot be. */
class Parsed {
  readonly programs: readonly (Program | null)[];
  readonly declared = new Set<string>();
  readonly functions = new Map<string, AnyNode[]>();

  constructor(readonly cells: Cells) {
    this.programs = cells.map(({ kind, source }) => (kind === "code" ? read(source) : null));
    for (const program of this.programs) {
      if (!program) continue;
      for (const name of topLevelNames(program)) this.declared.add(name);
      for (const [name, node] of topLevelFunctions(program)) this.functions.set(name, [...(this.functions.get(name) ?? []), node]);
    }
  }
}

/** Cells with methods in the place of operators; what cannot be parsed stays. */
export function withMethods(cells: Cells, vocabulary: Vocabulary): Written {
  const parsed = new Parsed(cells);
  const called = calledByKernels(parsed);
  const keep = new Set([...called].filter((name) => !isReadElsewhere(name, parsed, called)));
  const texts = new Map<string, string>();
  const complex = mayHaveComplex(parsed.programs.filter((program) => program !== null), vocabulary);
  const written = cells.map((cell, at) => {
    if (!parsed.programs[at]) return cell;
    const { code, functions } = spelled(cell.source, vocabulary, { declared: parsed.declared, keep, complex });
    for (const [now, before] of functions) texts.set(now, before);
    return { ...cell, source: code };
  });
  return { cells: written, texts };
}

/** Names of a notebook's functions that its kernels are given or call, and that those call. */
export const functionsOfKernels = (cells: Cells): Set<string> => calledByKernels(new Parsed(cells));

function read(source: string): Program | null {
  try {
    return parse(source, { ecmaVersion: "latest", sourceType: "module", allowAwaitOutsideFunction: true });
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function calledByKernels({ programs, functions }: Parsed): Set<string> {
  const found = new Set<string>();
  const pending: AnyNode[] = [];
  const take = (name: string) => {
    const named = functions.get(name);
    if (!named || found.has(name)) return;
    found.add(name);
    pending.push(...named);
  };
  for (const program of programs) {
    if (!program) continue;
    pending.push(...kernelFunctions(program));
    for (const node of allOf(program, ["CallExpression"])) {
      if (makesKernel(node as CallExpression)) for (const given of (node as CallExpression).arguments) if (given.type === "Identifier") take(given.name);
    }
  }
  for (let node = pending.pop(); node; node = pending.pop()) {
    const statement = node.type === "FunctionDeclaration" ? node : { type: "ExpressionStatement", expression: node, start: node.start, end: node.end };
    const { reads } = namesIn({ type: "Program", sourceType: "module", body: [statement as Program["body"][number]], start: node.start, end: node.end });
    reads.forEach(take);
  }
  return found;
}

/** Whether something other than a kernel and what it calls mentions a function. */
function isReadElsewhere(name: string, { programs, functions }: Parsed, called: ReadonlySet<string>): boolean {
  const inKernels = new Set([...called].flatMap((each) => functions.get(each)!));
  let mentions = 0;
  for (const program of programs) {
    if (!program) continue;
    const skipped = new Set([...inKernels, ...kernelFunctions(program)]);
    const given = new Set(allOf(program, ["CallExpression"]).flatMap((node) => (makesKernel(node as CallExpression) ? (node as CallExpression).arguments : [])));
    for (const node of allOf(program, ["Identifier"], skipped)) if ((node as { name: string }).name === name && !given.has(node as CallExpression["arguments"][number])) mentions++;
  }
  // A declaration of a variable names it once; that of a function is skipped as a whole.
  return mentions > functions.get(name)!.filter(({ type }) => type !== "FunctionDeclaration").length;
}
