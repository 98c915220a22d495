// Type vocabulary of the editor. TypeScript reads the types of the package, of the notebook's own
// functions and of the language when the page is built, and `virtual:types` keeps as much as
// completion needs. TypeScript's compiler as a library comes from ts-morph, without the
// documentation of the language, which the compiler's own package has.

import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ts } from "@ts-morph/common";
import type { Plugin } from "vite";
import { readComment } from "../../js/build/docs.js";
import type { Entry, Takes, TypeRef, Vocabulary } from "../src/state/code/vocabulary.ts";
import { withoutTypes } from "./erase.ts";

const VIRTUAL = "virtual:types";
const REFERENCE = "virtual:reference";
const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

/** What of the language cells are likely to name. */
const LANGUAGE = [
  "Array", "Boolean", "Date", "Error", "Float32Array", "Float64Array", "Infinity", "Int32Array", "JSON", "Map", "Math", "NaN", "Number", "Object",
  "OffscreenCanvas", "Promise", "RangeError", "RegExp", "Set", "String", "Symbol", "TypeError", "Uint32Array", "Uint8Array", "clearInterval", "clearTimeout", "console", "isFinite", "isNaN", "parseFloat", "parseInt",
  "performance", "queueMicrotask", "requestAnimationFrame", "setInterval", "setTimeout", "structuredClone",
];
/** Types of the language whose members are listed, besides those of the values above. */
const LISTED = new Set(["Array", "ReadonlyArray", "Promise", "Map", "Set", "Date", "RegExp", "Float32Array", "Float64Array", "Int32Array", "Uint32Array", "Uint8Array", "Math", "Console", "JSON", "Performance", "Error"]);
const PRIMITIVES: readonly [ts.TypeFlags, string][] = [
  [ts.TypeFlags.StringLike, "String"],
  [ts.TypeFlags.NumberLike, "Number"],
  [ts.TypeFlags.BooleanLike, "Boolean"],
];
const LONGEST_SIGNATURE = 220;
const LONGEST_DOC = 320;

/** What holds of all parts of a union, as far as it is known: a tensor where one may be; of numbers
 * and lists, the list. */
function common(refs: readonly TypeRef[]): TypeRef {
  const known = refs.filter((each) => each !== null);
  if (known.includes("Tensor")) return "Tensor";
  const texts = new Set(known.map((each) => JSON.stringify(each)));
  if (texts.size === 1) return known[0]!;
  if (known.some((each) => Array.isArray(each) && each[0] === "A")) return ["A", null];
  return known.length > 0 && known.every((each) => typeof each === "string" && each.endsWith("Array")) ? known[0]! : null;
}

/** A signature without its type parameters: who reads it in passing wants the arguments. */
function withoutParameters(signature: string): string {
  if (!signature.startsWith("<")) return signature;
  let depth = 0;
  for (let at = 0; at < signature.length; at++) {
    const character = signature[at];
    if (character === "<") depth++;
    else if (character === ">" && signature[at - 1] !== "=" && --depth === 0) return signature.slice(at + 1);
  }
  return signature;
}

/** A signature of what may take a key first, as `[shape] | [key, shape]`, without it. */
function withoutKey(signature: string): string {
  return signature.replace(/^\(\.\.\.\w+: \[([^[\]]*)\] \| \[key: [^[\]]*\]\)/, "($1)");
}

/** The types of which a value has one. */
const partsOf = (type: ts.Type): readonly ts.Type[] => (type.isUnion() ? type.types : [type]);

class Reader {
  readonly types: Record<string, Entry[]> = {};
  readonly options: Record<string, Entry[]> = {};
  /** The example in the documentation of an entry, as code. */
  readonly examples = new WeakMap<Entry, string>();
  private readonly names = new Map<ts.Type, string>();
  /** Names of types of options; types of different modules may have one name. */
  private readonly optionNames = new Map<ts.Type, string>();

  constructor(
    private readonly checker: ts.TypeChecker,
    private readonly at: ts.Node,
  ) {}

  entries(type: ts.Type, owner: ts.Type | null): Entry[] {
    return this.checker
      .getPropertiesOfType(type)
      .filter(({ name, declarations }) => /^[A-Za-z]\w*$/.test(name) && !declarations?.some((each) => ts.getCombinedModifierFlags(each) & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected)))
      .filter((symbol) => !this.isHidden(symbol))
      .map((symbol) => this.entry(symbol, owner));
  }

  entry(symbol: ts.Symbol, owner: ts.Type | null): Entry {
    const type = this.checker.getTypeOfSymbolAtLocation(symbol, this.at);
    const takes = this.takes(type);
    const plain = [symbol.name, this.signature(type, symbol), this.doc(symbol), this.ref(type, owner, 0)] as const;
    const entry: Entry = takes ? [...plain, takes] : plain;
    const example = this.example(symbol);
    if (example !== undefined) this.examples.set(entry, withoutTypes(example));
    return entry;
  }

  /** From the comments themselves: to TypeScript, `@compute` in a shader begins another tag. */
  private example(symbol: ts.Symbol): string | undefined {
    // What `{ print }` stands for, and what that is imported from.
    const short = symbol.declarations?.find(ts.isShorthandPropertyAssignment);
    const named = (short && this.checker.getShorthandAssignmentValueSymbol(short)) ?? symbol;
    const target = named.flags & ts.SymbolFlags.Alias ? this.checker.getAliasedSymbol(named) : named;
    const comments = [symbol, target].flatMap(({ declarations }) => declarations ?? []).flatMap((each) => ts.getJSDocCommentsAndTags(each)).filter(ts.isJSDoc);
    return comments.flatMap((each) => readComment(each.getText().slice("/**".length, -"*/".length)).examples)[0];
  }

  private isHidden(symbol: ts.Symbol): boolean {
    return symbol.getJsDocTags(this.checker).some(({ name }) => name === "deprecated" || name === "internal");
  }

  private signature(type: ts.Type, symbol: ts.Symbol): string {
    const [called] = type.getCallSignatures();
    const [made] = type.getConstructSignatures();
    const format = ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.UseAliasDefinedOutsideCurrentScope;
    let text = "";
    if (called) text = withoutKey(withoutParameters(this.checker.signatureToString(called, this.at, format)));
    else if (made) text = `new ${withoutParameters(this.checker.signatureToString(made, this.at, format))}`;
    else if (symbol.flags & (ts.SymbolFlags.ValueModule | ts.SymbolFlags.Alias)) return "";
    else text = this.checker.typeToString(type, this.at, format);
    if (text.includes("import(") || text.startsWith("typeof ")) return "";
    text = text.replaceAll(" | undefined", "");
    return text.length > LONGEST_SIGNATURE ? `${text.slice(0, LONGEST_SIGNATURE - 1)}…` : text;
  }

  /** What a function takes objects of options as, in all the ways in which it is called. */
  private takes(type: ts.Type): Takes | null {
    const found: Record<number, string[]> = {};
    for (const signature of [...type.getCallSignatures(), ...type.getConstructSignatures()]) {
      signature.getParameters().forEach((parameter, place) => {
        const given = this.checker.getTypeOfSymbolAtLocation(parameter, this.at);
        const rest = parameter.valueDeclaration && ts.isParameter(parameter.valueDeclaration) && parameter.valueDeclaration.dotDotDotToken !== undefined;
        // Arguments that are listed as tuples, one for each way.
        const ways = partsOf(given).filter((way) => this.checker.isTupleType(way)).map((way) => this.checker.getTypeArguments(way as ts.TypeReference));
        for (const way of rest ? ways : [[given]]) {
          way.forEach((each, behind) => {
            for (const part of partsOf(this.checker.getNonNullableType(each))) {
              const name = this.optionsOf(part);
              const names = (found[place + behind] ??= []);
              if (name !== null && !names.includes(name)) names.push(name);
            }
          });
        }
      });
    }
    const places = Object.entries(found).filter(([, names]) => names.length > 0);
    return places.length > 0 ? Object.fromEntries(places) : null;
  }

  /** Lists the keys of a type of options, once: all may be left out, or it is named as such. */
  private optionsOf(type: ts.Type): string | null {
    const known = this.optionNames.get(type);
    if (known !== undefined) return known;
    if (!(type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) || type.getCallSignatures().length > 0) return null;
    const keys = this.checker.getPropertiesOfType(type);
    const symbol = type.aliasSymbol?.name ?? type.symbol?.name ?? "";
    const named = /^[A-Z]\w*$/.test(symbol) ? symbol : "";
    const ours = keys[0]?.declarations?.some((each) => !each.getSourceFile().hasNoDefaultLib) ?? false;
    if (!ours || !keys.every(({ name }) => /^[A-Za-z]\w*$/.test(name)) || !(named.endsWith("Options") || keys.every(({ flags }) => flags & ts.SymbolFlags.Optional))) return null;
    const entries = keys.map((key): Entry => [key.name, this.signature(this.checker.getTypeOfSymbolAtLocation(key, this.at), key), this.doc(key), null]);
    const same = Object.keys(this.options).find((each) => each.split("#", 1)[0] === named && JSON.stringify(this.options[each]) === JSON.stringify(entries));
    const name = same ?? (named === "" || Object.hasOwn(this.options, named) ? `${named}#${this.optionNames.size}` : named);
    this.optionNames.set(type, name);
    this.options[name] = entries;
    return name;
  }

  /** The first paragraph. */
  private doc(symbol: ts.Symbol): string {
    const aliased = (each: ts.Symbol) => (each.flags & ts.SymbolFlags.Alias ? this.checker.getAliasedSymbol(each) : each);
    // In `{ print }` what is explained is what the name stands for.
    const { valueDeclaration: place } = symbol;
    const short = place && ts.isShorthandPropertyAssignment(place) ? this.checker.getShorthandAssignmentValueSymbol(place) : undefined;
    const parts = [symbol, aliased(symbol), ...(short ? [aliased(short)] : [])].map((each) => ts.displayPartsToString(each.getDocumentationComment(this.checker))).find((text) => text !== "") ?? "";
    const [first = ""] = parts.trim().split(/\n\s*\n/);
    const text = first.replace(/\s+/g, " ").replace(/\s*\[MDN Reference\]\([^)]*\)/g, "").trim();
    return text.length > LONGEST_DOC ? `${text.slice(0, LONGEST_DOC - 1)}…` : text;
  }

  private ref(type: ts.Type, owner: ts.Type | null, depth: number): TypeRef {
    const { checker } = this;
    const inner = (each: ts.Type) => this.ref(each, owner, depth + 1);
    if (depth > 4 || type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown | ts.TypeFlags.Never | ts.TypeFlags.Void)) return null;
    for (const [flag, name] of PRIMITIVES) if (type.flags & flag) return this.listed(name, checker.getApparentType(type));
    if (type.isUnion()) {
      const parts = type.types.filter((each) => !(each.flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Null)));
      return common(parts.map(inner));
    }
    if (type.flags & ts.TypeFlags.TypeParameter) {
      if ((type as ts.TypeParameter & { isThisType?: boolean }).isThisType && owner) return this.ref(owner, owner, depth + 1);
      const name = (owner as ts.TypeReference | null)?.symbol?.name ?? "";
      const parameters = owner && (owner as ts.InterfaceType).typeParameters;
      if (parameters?.[0] === type && /Array$/.test(name)) return ["E"];
      const bound = checker.getBaseConstraintOfType(type);
      return bound && bound !== type ? inner(bound) : null;
    }
    const tuple: boolean = checker.isTupleType(type);
    if (tuple) return ["T", ...checker.getTypeArguments(type as ts.TypeReference).map(inner)];
    const name = type.symbol?.name ?? "";
    const array: boolean = checker.isArrayType(type);
    if (array || name === "ReadonlyArray") {
      this.listed("Array", (type as ts.TypeReference).target);
      return ["A", inner(checker.getTypeArguments(type as ts.TypeReference)[0]!)];
    }
    if (name === "Promise" || name === "PromiseLike") {
      this.listed("Promise", (type as ts.TypeReference).target ?? type);
      return ["P", inner(checker.getTypeArguments(type as ts.TypeReference)[0]!)];
    }
    const [made] = type.getConstructSignatures();
    if (made) return ["C", inner(made.getReturnType()), depth > 1 ? null : this.anonymous(type, name)];
    const [called] = type.getCallSignatures();
    if (called) return ["F", inner(called.getReturnType())];
    if (!(type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection))) return null;
    const ours = type.symbol?.declarations?.some((each) => !each.getSourceFile().hasNoDefaultLib) ?? false;
    if (!ours && !LISTED.has(name)) return null;
    if (/^__/.test(name) || name === "" || type.symbol.flags & (ts.SymbolFlags.ValueModule | ts.SymbolFlags.ObjectLiteral)) return this.anonymous(type, name);
    return this.listed(name, (type as ts.TypeReference).target ?? type);
  }

  /** Lists the members of a named type, once. */
  private listed(name: string, type: ts.Type): string {
    const key = name === "ReadonlyArray" ? "Array" : name;
    if (!Object.hasOwn(this.types, key)) {
      this.types[key] = [];
      this.types[key] = this.entries(type, type);
    }
    return key;
  }

  private anonymous(type: ts.Type, name: string): string | null {
    const known = this.names.get(type);
    if (known !== undefined) return known;
    const key = `${/^\w+$/.test(name) && !name.startsWith("__") ? name : ""}#${this.names.size}`;
    this.names.set(type, key);
    const own = this.entries(type, null).filter(([each]) => !["prototype", "apply", "call", "bind", "arguments", "caller"].includes(each));
    this.types[key] = own;
    return own.length > 0 ? key : null;
  }
}

export interface Entries {
  /** The entry of weft-gpu. */
  readonly library: string;
  /** That of kernels, `weft-gpu/kernel`. */
  readonly kernels: string;
}

/** What the page's reference shows of a function: its place, as `nn.relu`; its signature, its
 * documentation, and an example or "". */
export type ReferenceEntry = readonly [path: string, signature: string, doc: string, example: string];

function referenceOf(reader: Reader, { library, kernels, notebook }: Vocabulary): ReferenceEntry[] {
  const shown = (prefix: string, entry: Entry): ReferenceEntry[] => (entry[1] === "" && entry[2] === "" ? [] : [[prefix + entry[0], entry[1], entry[2], reader.examples.get(entry) ?? ""]]);
  const spaces = library.flatMap(([name, signature, , type]) => (signature === "" && typeof type === "string" ? (reader.types[type] ?? []).flatMap((entry) => shown(`${name}.`, entry)) : []));
  const methods = (reader.types["Tensor"] ?? []).flatMap((entry) => shown("Tensor.", entry));
  return [...notebook, ...library, ...kernels].flatMap((entry) => shown("", entry)).concat(spaces, methods);
}

export function readVocabulary(entries: Entries): { vocabulary: Vocabulary; reference: ReferenceEntry[] } {
  const { library, kernels } = entries;
  const entry = path("../src/vocabulary.d.ts");
  const text = [
    `export * as library from ${JSON.stringify(library)};`,
    `export * as kernels from ${JSON.stringify(kernels)};`,
    `export { notebookNames as notebook } from ${JSON.stringify(path("../src/worker/run/scope.ts"))};`,
    `export declare const language: { ${LANGUAGE.map((name) => `${name}: typeof ${name}`).join("; ")} };`,
  ].join("\n");
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler, lib: ["lib.es2023.d.ts", "lib.esnext.disposable.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
    types: [], strict: true, noEmit: true, skipLibCheck: true, allowImportingTsExtensions: true, paths: { "weft-gpu": [library], "weft-gpu/kernel": [kernels] },
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  const compiler = createRequire(createRequire(import.meta.url).resolve("typescript/package.json"));
  const language = join(dirname(compiler.resolve(`@typescript/typescript-${process.platform}-${process.arch}/package.json`)), "lib");
  host.getDefaultLibLocation = () => language;
  host.getDefaultLibFileName = () => join(language, "lib.d.ts");
  host.fileExists = (name) => name === entry || fileExists(name);
  host.getSourceFile = (name, version, ...rest) => (name === entry ? ts.createSourceFile(name, text, version, true) : getSourceFile(name, version, ...rest));
  const program = ts.createProgram([entry], options, host);
  const checker = program.getTypeChecker();
  const file = program.getSourceFile(entry)!;
  const module = checker.getSymbolAtLocation(file);
  if (!module) throw new Error("the vocabulary's entry is no module");
  const reader = new Reader(checker, file);
  const parts = new Map(checker.getExportsOfModule(module).map((symbol) => [symbol.name, symbol]));
  const typeOf = (name: string) => {
    const symbol = parts.get(name)!;
    return checker.getTypeOfSymbolAtLocation(symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol, file);
  };
  const [own, ofKernels, notebook, words] = ["library", "kernels", "notebook", "language"].map((name) => reader.entries(typeOf(name), null));
  if (!own!.length || !ofKernels!.length || !notebook!.length || !words!.length || !reader.types["Tensor"]?.length) throw new Error("the types of the package were not found");
  const vocabulary = { library: own!, kernels: ofKernels!, notebook: notebook!, language: words!, types: reader.types, options: reader.options };
  return { vocabulary, reference: referenceOf(reader, vocabulary) };
}

export function types(entries: Entries): Plugin {
  let read: ReturnType<typeof readVocabulary> | undefined;
  const modules: Readonly<Record<string, () => unknown>> = {
    [VIRTUAL]: () => (read ??= readVocabulary(entries)).vocabulary,
    [REFERENCE]: () => (read ??= readVocabulary(entries)).reference,
  };
  return {
    name: "weft-types",
    resolveId: (id) => (Object.hasOwn(modules, id) ? `\0${id}` : undefined),
    load: (id) => (id.startsWith("\0") && Object.hasOwn(modules, id.slice(1)) ? `export default JSON.parse(${JSON.stringify(JSON.stringify(modules[id.slice(1)]!()))});` : undefined),
  };
}
