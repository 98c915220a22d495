// Writing of a notebook as a JavaScript module that runs without the page. The cells stay as they
// are, one after another between `// %%` lines, which editors know as cells; texts are comments.
// Above them are the imports, and what the page would offer. Names that several cells declare
// become variables of the module, which each of the cells assigns, as in the notebook. The last
// line carries the notebook itself, so that the page opens the file as what it was.

import type { AnyNode, Program } from "acorn";
import { parse } from "acorn";
import { Edits } from "../code/edits";
import { KERNELS } from "../code/kernels";
import { namesIn } from "../code/names";
import { children } from "../code/syntax";
import { transformCell } from "../code/transform";
import type { Vocabulary } from "../code/vocabulary";
import { hasOperators, serializeNotebook } from "../notebook/notebook";
import type { Cells } from "../notebook/notebook";
import { withMethods } from "../operators/methods";
import { operatorsModule } from "../operators/spelled";
import { carry, END, rewrittenMark } from "./module-read";
import functions from "./notebook-functions.js?raw";

/** What modules export, by their names. */
export interface ModuleNames {
  readonly library: ReadonlySet<string>;
  readonly kernels: ReadonlySet<string>;
  /** What the page adds for cells: those without a counterpart in a module throw when they are
   * called. */
  readonly notebook: ReadonlySet<string>;
}

export interface ModuleOptions {
  readonly names: ModuleNames;
  readonly title: string;
  /** Address of the folder that holds the page: files of cells are fetched from there. */
  readonly site: string;
  /** What is known of types, by which operators on tensors become methods. */
  readonly vocabulary: Vocabulary;
}

type Statement = Program["body"][number];
type CodeCell = { readonly source: string; readonly program: Program; readonly reads: ReadonlySet<string>; declared: Set<string> } | { readonly source: string; readonly problem: string };

const MAIN = "weft-gpu";
/** Names of that file which are none of the page's. */
const INNER = new Set(["logged", "log", "isTensor", "brief", "described", "handles", "handle", "show", "picture", "summary", "drawn", "lines", "chart", "bytesOf", "textOf", "exists"]);

export async function writeModule(cells: Cells, options: ModuleOptions): Promise<string> {
  const written = hasOperators(cells) ? withMethods(cells, options.vocabulary) : { cells, texts: new Map<string, string>() };
  const body = new ModuleWriter(written.cells, options, cells, written.texts).write();
  return `${body}\n${await carry(body, serializeNotebook(cells))}\n`;
}

/** The page's functions for modules, each top-level statement with the comment above it. */
interface Piece {
  readonly declares: ReadonlySet<string>;
  readonly reads: ReadonlySet<string>;
  readonly text: string;
}
let pieces: readonly Piece[] | null = null;

function piecesOf(): readonly Piece[] {
  if (pieces) return pieces;
  const program = parse(functions, { ecmaVersion: "latest", sourceType: "module" });
  return (pieces = program.body.map((node, at): Piece => {
    const above = functions.slice(program.body[at - 1]?.end ?? 0, node.start);
    const comment = /\/\*\*(?:(?!\*\/)[^])*\*\/\s*$/.exec(above)?.[0] ?? "";
    const { defines, reads } = namesIn({ ...program, body: [node] });
    return { declares: defines, reads, text: comment + functions.slice(node.start, node.end) };
  }));
}

/** Names that the module needs besides those of the cells, each one that no cell mentions. */
type Own = Record<"init" | "Tensor" | "page" | "notebookPage" | "library" | "names" | "kernelIn" | "valueOf" | "textOf" | "show", string>;

class ModuleWriter {
  private readonly code: CodeCell[];
  /** Names that cells declare, and those that they read and no cell declares alone. */
  private readonly declared = new Set<string>();
  private readonly reads = new Set<string>();
  private readonly hoisted = new Set<string>();
  /** Imports, by the name that they have in the module. */
  private readonly imports = new Map<string, { readonly from: string; readonly name: string }>();
  private readonly namespaces = new Map<string, string>();
  private readonly own: Own;

  constructor(
    private readonly cells: Cells,
    private readonly options: ModuleOptions,
    /** The cells as the notebook has them. */
    private readonly originals: Cells,
    /** What kernels read of functions whose operators were written out, by the text they have. */
    private readonly texts: ReadonlyMap<string, string>,
  ) {
    this.code = cells.filter(({ kind }) => kind === "code").map(({ source }) => readCode(source));
    for (const cell of this.code) if ("program" in cell) this.takeImports(cell);
    this.findHoisted();
    const mentioned = new Set(this.code.flatMap((cell) => ("program" in cell ? [...cell.reads, ...cell.declared] : [])));
    for (const name of [...this.imports.keys(), ...this.namespaces.keys()]) mentioned.add(name);
    const own = (name: string) => (mentioned.has(name) && !(this.reads.has(name) && !this.declared.has(name) && options.names.library.has(name)) ? unused(name, mentioned) : name);
    this.own = { init: own("init"), Tensor: own("Tensor"), page: own("page"), notebookPage: own("notebookPage"), library: own("library"), names: own("names"), kernelIn: own("kernelIn"), valueOf: own("valueOf"), textOf: own("textOf"), show: own("show") };
  }

  write(): string {
    let number = 0;
    const written = this.cells.map(({ kind, source }, at) => {
      if (kind === "prose") return proseComment(source);
      const text = this.cell(this.code[number++]!);
      return `${source === this.originals[at]!.source ? "// %%" : rewrittenMark(number - 1, text)}\n${text}`;
    });
    const { head, foot } = this.frame();
    return `${[...head, ...written, ...foot].join("\n\n").trimEnd()}\n`;
  }

  /** Imports of a cell go to the top, and are no declarations of its own. */
  private takeImports(cell: Extract<CodeCell, { program: Program }>): void {
    for (const node of cell.program.body) {
      if (node.type !== "ImportDeclaration") continue;
      const from = String(node.source.value);
      for (const specifier of node.specifiers) {
        cell.declared.delete(specifier.local.name);
        if (specifier.type === "ImportNamespaceSpecifier") this.namespaces.set(specifier.local.name, from);
        else if (specifier.type === "ImportSpecifier" && specifier.imported.type === "Identifier") this.imports.set(specifier.local.name, { from, name: specifier.imported.name });
      }
    }
  }

  /** Names that cells share as variables: declared by several, or the library's until a later cell
   * declares them. */
  private findHoisted(): void {
    const readBefore = new Set<string>();
    const { hoisted, declared } = this;
    for (const cell of this.code) {
      if (!("program" in cell)) continue;
      for (const name of cell.declared) {
        if (declared.has(name) || this.imports.has(name) || this.namespaces.has(name) || (readBefore.has(name) && this.isOffered(name))) hoisted.add(name);
        declared.add(name);
      }
      for (const name of cell.reads) if (!cell.declared.has(name)) readBefore.add(name);
    }
    // A declaration of several names is one assignment.
    for (let before = -1; before !== hoisted.size; ) {
      before = hoisted.size;
      for (const cell of this.code) {
        if (!("program" in cell)) continue;
        for (const node of cell.program.body) {
          const names = declaredBy(node);
          if (names.some((name) => hoisted.has(name))) for (const name of names) hoisted.add(name);
        }
      }
    }
    for (const cell of this.code) if ("program" in cell) for (const name of cell.reads) if (!declared.has(name) || (hoisted.has(name) && readBefore.has(name))) this.reads.add(name);
  }

  private isOffered(name: string): boolean {
    const { library, kernels, notebook } = this.options.names;
    return library.has(name) || kernels.has(name) || notebook.has(name);
  }

  private cell(cell: CodeCell): string {
    if (!("program" in cell)) return commented(`This cell does not run: ${cell.problem}\n\n${cell.source}`);
    const { source, program } = cell;
    const edits = new Edits(source);
    const first: string[] = [];
    program.body.forEach((node, at) => {
      if (node.type === "ImportDeclaration") return edits.replace(node.start, node.end, "");
      if (declaredBy(node).some((name) => this.hoisted.has(name))) this.assign(node, edits, first, source);
      else if (at === program.body.length - 1) this.showLast(node, edits, source);
    });
    return [...first, edits.apply().code.trimEnd()].join("\n");
  }

  /** Makes assignments of a declaration; functions come first, since cells call them above their
   * declarations. */
  private assign(node: Statement, edits: Edits, first: string[], source: string): void {
    const declaration = node.type === "ExportNamedDeclaration" ? node.declaration! : node;
    switch (declaration.type) {
      case "VariableDeclaration":
        edits.replace(node.start, declaration.declarations[0]!.start, "");
        for (const { id, init } of declaration.declarations) {
          if (id.type === "Identifier") {
            if (!init) edits.insert(id.end, declaration.kind === "var" ? ` = ${id.name}` : " = undefined");
          } else {
            edits.insert(id.start, id === declaration.declarations[0]!.id ? ";(" : "(");
            edits.insert(init!.end, ")");
          }
        }
        return;
      case "FunctionDeclaration":
        first.push(`${declaration.id!.name} = ${source.slice(declaration.start, declaration.end)};`);
        return edits.replace(node.start, node.end, "");
      case "ClassDeclaration":
        edits.replace(node.start, declaration.start, "");
        edits.insert(declaration.start, `${declaration.id!.name} = `);
        return edits.insert(declaration.end, ";");
      default:
    }
  }

  private showLast(node: Statement, edits: Edits, source: string): void {
    if (node.type !== "ExpressionStatement" || node.directive) return;
    const { expression } = node;
    if (expression.type === "AssignmentExpression" || expression.type === "UpdateExpression" || logsByItself(expression)) return;
    edits.insert(node.start, `await ${this.own.show}(`);
    edits.insert(source[node.end - 1] === ";" ? node.end - 1 : node.end, ")");
  }

  /** What stands above and below the cells. */
  private frame(): { head: string[]; foot: string[] } {
    const { names, site, title } = this.options;
    const { own, hoisted } = this;
    // A name that only cells give a value is no name of the page's or of the library's.
    const free = [...this.reads].filter((name) => !this.imports.has(name) && !this.namespaces.has(name)).sort();
    const functions = piecesFor([...free, "show"]);
    const offered = free.filter((name) => functions.names.has(name));
    const missing = free.filter((name) => !functions.names.has(name) && names.notebook.has(name));
    const rest = free.filter((name) => !functions.names.has(name) && !names.notebook.has(name));
    const initial = new Map(offered.filter((name) => hoisted.has(name)).map((name) => [name, `${own.page}.${name}`]));
    for (const name of rest) {
      const from = names.library.has(name) ? MAIN : names.kernels.has(name) && name !== "kernel" ? KERNELS : null;
      if (from === null) continue;
      if (!hoisted.has(name)) this.imports.set(name, { from, name });
      else if (from === MAIN) {
        this.namespaces.set(own.library, MAIN);
        initial.set(name, `${own.library}.${name}`);
      }
    }
    if (rest.includes("weft")) this.namespaces.set("weft", MAIN);
    const helpers = this.reads.has("$weft") && !this.declared.has("$weft");
    if (helpers) this.namespaces.set(own.library, MAIN);
    this.imports.set(own.init, { from: MAIN, name: "init" });
    this.imports.set(own.Tensor, { from: MAIN, name: "Tensor" });
    const kernels = free.includes("kernel");
    if (kernels) this.imports.set(own.kernelIn, { from: KERNELS, name: "kernelIn" });
    const taken = offered.filter((name) => !hoisted.has(name));
    const shared = [...hoisted].sort();
    const kernel = kernels ? [this.kernelScope()] : [];
    return {
      head: [
        `// ${title.replace(/\s+/g, " ")}\n//\n// Exported from a notebook of ${site}\n// In Node.js: npm install weft-gpu. It runs on the CPU; to use a GPU, npm install webgpu, add\n// import { create } from "webgpu", and call ${own.init}({ gpu: create([]) }) below.`,
        this.importLines(),
        `await ${own.init}();\nconst ${own.page} = ${own.notebookPage}(${own.Tensor});\nconst { ${[...taken, own.show === "show" ? "show" : `show: ${own.show}`].join(", ")} } = ${own.page};`,
        ...missing.map((name) => `const ${name} = () => {\n  throw new Error("${name} works only in the playground");\n};`),
        ...(shared.length > 0 ? [`// Names that several cells give a value.\nlet ${shared.map((name) => (initial.has(name) ? `${name} = ${initial.get(name)}` : name)).join(", ")};`] : []),
        ...(helpers ? [`const $weft = ((weft) => {\n${indented(`${operatorsModule.trimEnd()}\nreturn $weft;`)}\n})(${own.library});`] : []),
        ...kernel,
      ],
      foot: [
        END,
        `await ${own.page}.flush();`,
        ...(kernels && this.texts.size > 0 ? [this.kernelTexts()] : []),
        `// What the page offers notebooks. Here, what is displayed is logged.\nfunction ${own.notebookPage}(Tensor) {\n${indented(`${functions.needsSite ? `const SITE = ${JSON.stringify(site)};\n\n` : ""}${functions.text}\n\nreturn { ${["show", ...offered].join(", ")}, flush: () => logged };`)}\n}`,
      ],
    };
  }

  private importLines(): string {
    const lines = [...this.namespaces].map(([local, from]) => `import * as ${local} from ${JSON.stringify(from)};`);
    for (const from of [MAIN, KERNELS]) {
      const list = [...this.imports].filter(([, each]) => each.from === from).map(([local, { name }]) => (local === name ? name : `${name} as ${local}`)).sort();
      if (list.length > 0) lines.push(`import { ${list.join(", ")} } from ${JSON.stringify(from)};`);
    }
    return lines.join("\n");
  }

  /** In a notebook, kernels see the names of all cells: here, those that there are. */
  private kernelScope(): string {
    const { names, kernelIn, valueOf, textOf } = this.own;
    const found = [...this.declared].sort();
    const lines = [
      `// Kernels see the names of all cells.\nconst ${names} = { ${found.map((name) => `${name}: () => ${name}`).join(", ")} };`,
      `const ${valueOf} = (name) => {\n  try {\n    return Object.hasOwn(${names}, name) ? ${names}[name]() : undefined;\n  } catch {\n    // It has no value yet.\n    return undefined;\n  }\n};`,
      `const kernel = ${kernelIn}(${valueOf}${this.texts.size > 0 ? `, undefined, ${textOf}` : ""});`,
    ];
    return lines.join("\n");
  }

  /** A kernel is compiled from its functions' text, in which operators stand as the notebook has
   * them. */
  private kernelTexts(): string {
    const texts = [...this.texts].map(([now, before]) => `[${JSON.stringify(now)}, ${JSON.stringify(before)}],`);
    return `// What kernels read of functions that have methods here in the place of operators.\nfunction ${this.own.textOf}(fn) {\n  const texts = new Map([\n${indented(indented(texts.join("\n")))}\n  ]);\n  return texts.get(String(fn)) ?? String(fn);\n}`;
  }
}

/** The page's functions that `names` need, in their order. */
function piecesFor(names: readonly string[]): { readonly names: ReadonlySet<string>; readonly text: string; readonly needsSite: boolean } {
  const wanted = new Set([...names, "logged"]);
  const taken = new Set<Piece>();
  for (let before = -1; before !== taken.size; ) {
    before = taken.size;
    for (const piece of piecesOf()) {
      if (taken.has(piece) || ![...piece.declares].some((name) => wanted.has(name))) continue;
      taken.add(piece);
      for (const name of piece.reads) wanted.add(name);
    }
  }
  const kept = piecesOf().filter((piece) => taken.has(piece));
  const declared = new Set(kept.flatMap(({ declares }) => [...declares]));
  return { names: new Set(names.filter((name) => declared.has(name) && !INNER.has(name))), text: kept.map(({ text }) => text).join("\n\n"), needsSite: wanted.has("SITE") };
}

function readCode(source: string): CodeCell {
  try {
    const { program, declared } = transformCell(source);
    return { source, program, reads: namesIn(program).reads, declared: new Set(declared) };
  } catch (error) {
    return { source, problem: error instanceof Error ? error.message : String(error) };
  }
}

function unused(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  for (let n = 2; ; n++) if (!taken.has(`${name}${n}`)) return `${name}${n}`;
}

/** `print(…)` and `console.log(…)` leave nothing to show. */
function logsByItself(expression: AnyNode): boolean {
  if (expression.type !== "CallExpression") return false;
  const { callee } = expression;
  if (callee.type === "Identifier") return callee.name === "print";
  return callee.type === "MemberExpression" && callee.object.type === "Identifier" && callee.object.name === "console";
}

/** Names that a statement declares for other cells, imports apart. */
function declaredBy(statement: Statement): string[] {
  const node = statement.type === "ExportNamedDeclaration" ? statement.declaration : statement;
  if (node?.type === "FunctionDeclaration" || node?.type === "ClassDeclaration") return [node.id!.name];
  if (node?.type !== "VariableDeclaration" || !["var", "let", "const"].includes(node.kind)) return [];
  const names: string[] = [];
  const pending: AnyNode[] = node.declarations.map(({ id }) => id);
  for (let at = pending.pop(); at; at = pending.pop()) {
    if (at.type === "Identifier") names.push(at.name);
    else if (at.type === "AssignmentPattern") pending.push(at.left);
    else if (at.type === "Property") pending.push(at.value);
    else if (at.type === "ArrayPattern" || at.type === "ObjectPattern" || at.type === "RestElement") pending.push(...children(at));
  }
  return names;
}

/** Every character that ends a line of JavaScript ends one here: what follows it would be code. */
const commented = (text: string) => text.split(/\r\n|[\n\r\u2028\u2029]/).map((line) => (line === "" ? "//" : `// ${line}`)).join("\n");
const indented = (text: string) => text.replace(/^(?=[^\n])/gm, "  ");
const proseComment = (source: string) => `// %% [markdown]\n${commented(source)}`;
