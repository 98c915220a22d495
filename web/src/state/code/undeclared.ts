// Assignments to names that nothing declares. In Python the first assignment of a name declares it,
// and `f(x, name=1)` names an argument.

/** Characters of a line that are looked at. */
const LONGEST = 2_000;

/** What an assignment to a name is: of a variable, with what to write, or of an argument in a
 * call. */
export type Assigned = { readonly kind: "variable"; readonly say: string } | { readonly kind: "argument" };

/** Whether a line, as it runs, assigns to a name that is not declared; null where it does not. */
export function assignedIn(line: string, name: string): Assigned | null {
  const text = line.slice(0, LONGEST);
  const escaped = name.replace(/\$/g, "\\$&");
  const loop = new RegExp(`\\bfor\\s*(?:await\\s*)?\\(\\s*${escaped}\\s*(=|of\\b|in\\b)`).exec(text);
  if (loop) return variable(`The variable of a loop has to be declared: write ${loop[1] === "=" ? `for (let ${name} = 0; …)` : `for (const ${name} of list)`}.`);
  const found = new RegExp(`(?<![\\w$.])${escaped}\\s*((?:[-+*/%&|^]|\\*\\*|<<|>>>?|&&|\\|\\||\\?\\?)?=)(?![=>])`).exec(text);
  if (!found) {
    const pattern = new RegExp(`([[{][^=;[{(]{0,60}(?<![\\w$.])${escaped}(?![\\w$])[^=;\\])}]{0,60}[\\]}])\\s*=(?![=>])`).exec(text);
    return pattern ? variable(`New names have to be declared: write const ${pattern[1]} = …, or let if they change later.`) : null;
  }
  if (isArgument(text, found.index)) return { kind: "argument" };
  const typed = new RegExp(`^[;\\s]*([A-Za-z_$][\\w$]*)\\s*:\\s*${escaped}\\s*=`).exec(text);
  if (typed) return variable(`Variables have no types in JavaScript: write const ${typed[1]} = …`);
  const [rest = ""] = text.slice(found.index + found[0].length).split(";", 1);
  const again = found[1] !== "=" || new RegExp(`(?<![\\w$.])${escaped}(?![\\w$])`).test(rest);
  return variable(again ? `A variable has to be declared before it changes: write let ${name} = 0 in front of this line.` : `A new name has to be declared: write const ${name} = …, or let ${name} = … if it changes later.`);
}

const variable = (say: string): Assigned => ({ kind: "variable", say });

/** Whether a place is among the arguments of a call. */
function isArgument(text: string, at: number): boolean {
  let depth = 0;
  for (let i = at - 1; i >= 0; i--) {
    const character = text[i]!;
    if (")]}".includes(character)) depth++;
    else if ("([{".includes(character) && depth-- === 0) {
      const callee = /([\w$.]+)\s*$/.exec(text.slice(Math.max(0, i - 80), i))?.[1];
      return character === "(" && callee !== undefined && !/^(?:if|while|for|switch|return|await|typeof|\$weft\.\w+)$/.test(callee);
    } else if (depth === 0 && character === ";") return false;
  }
  return false;
}
