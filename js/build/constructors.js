// A transform of sources: what users construct with `new` is exported as a constructor that says so
// (`src/core/check/constructor.ts`). Its types stay a class's.

import { fileURLToPath } from "node:url";
import { parseAst } from "rolldown/parseAst";

const source = fileURLToPath(new URL("../src/", import.meta.url)).replaceAll("\\", "/");
/** Which files define such classes, and where they are exported. */
const FILES = [[/^nn\/\w+\.ts$/, "nn."], [/^optim\/\w+\.ts$/, "optim."], [/^transforms\/parameter\.ts$/, "nn."], [/^ops\/complex\.ts$/, ""]];

/** For Rolldown and Vite.
 * @returns {{ name: string, enforce: "pre", transform(code: string, id: string): { code: string, map: null } | undefined }} */
export function constructors() {
  return {
    name: "weft-constructors",
    enforce: "pre",
    transform(code, id) {
      const file = id.replaceAll("\\", "/").split("?")[0];
      if (!file.startsWith(source)) return undefined;
      const namespace = FILES.find(([pattern]) => pattern.test(file.slice(source.length)))?.[1];
      const classes = namespace === undefined ? [] : parseAst(code, { lang: "ts" }).body.filter((node) => isConstructed(node, code));
      if (classes.length === 0) return undefined;
      let changed = code;
      for (const { start, declaration } of classes.toReversed()) {
        const made = code.slice(declaration.start, declaration.end);
        changed = `${changed.slice(0, start)}export const ${declaration.id.name} = /* @__PURE__ */ constructor("${namespace}", ${made});${changed.slice(declaration.end)}`;
      }
      // On the first line, so that lines keep their numbers.
      return { code: `import { constructor } from "${source}core/check/constructor.ts"; ${changed}`, map: null };
    },
  };
}

/** Whether a statement exports a class that is neither abstract nor constructed by the package
 * alone. */
function isConstructed({ type, declaration }, code) {
  if (type !== "ExportNamedDeclaration" || declaration?.type !== "ClassDeclaration" || declaration.abstract) return false;
  const own = declaration.body.body.find((member) => member.kind === "constructor");
  return !own || !/\/\*\*[^/]*@internal \*\/\s*$/.test(code.slice(declaration.body.start, own.start));
}
