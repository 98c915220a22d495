// JSON schema, draft 4, as far as the schema of Jupyter notebooks uses it.

type Schema = Readonly<Record<string, unknown>>;

const typeOf = (value: unknown) => (value === null ? "null" : Array.isArray(value) ? "array" : typeof value === "number" && Number.isInteger(value) ? "integer" : typeof value);

/** What of a value is not as the schema says, by its place. */
export function violations(root: Schema, value: unknown): string[] {
  const check = (schema: Schema, at: unknown, place: string): string[] => {
    const reference = schema["$ref"];
    if (typeof reference === "string") return check(reference.slice(2).split("/").reduce((inner: Schema, name) => inner[name] as Schema, root), at, place);
    const wrong: string[] = [];
    const type = schema["type"];
    const types = type === undefined ? null : Array.isArray(type) ? (type as string[]) : [type as string];
    const actual = typeOf(at);
    if (types && !types.includes(actual) && !(actual === "integer" && types.includes("number"))) return [`${place}: ${actual} is not ${types.join(" or ")}`];
    const oneOf = schema["oneOf"] as Schema[] | undefined;
    if (oneOf) {
      const fits = oneOf.map((each) => check(each, at, place));
      if (fits.filter((found) => found.length === 0).length !== 1) wrong.push(`${place}: fits ${fits.filter((found) => found.length === 0).length} of the choices (${fits.flat().slice(0, 4).join("; ")})`);
    }
    const among = schema["enum"] as unknown[] | undefined;
    if (among && !among.includes(at)) wrong.push(`${place}: ${JSON.stringify(at)} is none of ${JSON.stringify(among)}`);
    if (typeof at === "string") {
      const pattern = schema["pattern"];
      if (typeof pattern === "string" && !new RegExp(pattern, "u").test(at)) wrong.push(`${place}: ${at} does not match ${pattern}`);
      if (at.length < ((schema["minLength"] as number | undefined) ?? 0) || at.length > ((schema["maxLength"] as number | undefined) ?? Infinity)) wrong.push(`${place}: length ${at.length}`);
    }
    if (typeof at === "number" && (at < ((schema["minimum"] as number | undefined) ?? -Infinity) || at > ((schema["maximum"] as number | undefined) ?? Infinity))) wrong.push(`${place}: ${at} is out of range`);
    if (Array.isArray(at) && schema["items"]) at.forEach((item, i) => wrong.push(...check(schema["items"] as Schema, item, `${place}[${i}]`)));
    if (actual === "object") {
      const object = at as Record<string, unknown>;
      const properties = (schema["properties"] ?? {}) as Record<string, Schema>;
      const patterns = Object.entries((schema["patternProperties"] ?? {}) as Record<string, Schema>);
      for (const name of (schema["required"] ?? []) as string[]) if (!(name in object)) wrong.push(`${place}: ${name} is missing`);
      for (const [name, inner] of Object.entries(object)) {
        const known = properties[name];
        const matching = patterns.filter(([pattern]) => new RegExp(pattern).test(name));
        for (const each of [...(known ? [known] : []), ...matching.map(([, each]) => each)]) wrong.push(...check(each, inner, `${place}.${name}`));
        if (known || matching.length > 0) continue;
        const more = schema["additionalProperties"];
        if (more === false) wrong.push(`${place}: ${name} is not allowed`);
        else if (typeof more === "object" && more !== null) wrong.push(...check(more as Schema, inner, `${place}.${name}`));
      }
    }
    return wrong;
  };
  return check(root, value, "notebook");
}
