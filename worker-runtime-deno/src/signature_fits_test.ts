import { readSignature } from "./signature.ts";
import type { Schema } from "./signature_types.ts";
import { assertIncludes } from "./testing/asserts.ts";
import { Random } from "./testing/random.ts";
import { fits } from "./testing/schema_check.ts";

const SCRIPTS = 4;
const TYPES = 60;
const VALUES = 12;
const TAKEN_SHARE_MIN = 0.25;
/**
 * Share of the values that the compiler refuses, and the schema, too. The others have null for what may be left out, or
 * types that no value of JSON has.
 */
const REFUSED_SHARE_MIN = 0.15;

const SHAPES = `
  export interface Item { name: string; count?: number; next?: Item | null; note: string | undefined }
  export interface Special extends Item { level: 1 | 2; readonly tags: string[] }
  export interface Box<T = string> { value: T; more?: Box<T>[] }
  export interface Weak { a?: number; b?: string }
  export type Maybe<T> = T | undefined;
  export type Mark = string & { readonly mark?: "id" };
  export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
  export type Nested<T> = { name: T; items: Maybe<T>[] };
`;
const NAMES = "Item Special Box Weak Maybe Mark Json Nested";
const SCALARS = [
  ...[
    "string",
    "number",
    "boolean",
    "null",
    "undefined",
    "any",
    "unknown",
    "object",
    '"a"',
    '"name"',
    "1",
    "true",
    "{}",
  ],
  ...[
    "Item",
    "Special",
    "Box",
    "Box<number>",
    "Weak",
    "Maybe<number>",
    "Mark",
    "Json",
    "Nested<boolean>",
    'Item["name"]',
  ],
  ...[
    "keyof Item",
    "`x${string}`",
    "Record<string, any>",
    "Date",
    "() => void",
    "bigint",
    "{ length: number }",
    "never",
  ],
];
const FORMS = [
  ...[
    "($0)[]",
    "readonly ($0)[]",
    "Array<$0>",
    "Record<string, $0>",
    'Record<"a" | "name", $0>',
    "[$0, $1]",
    "[$0, ($1)?]",
  ],
  ...["[x: $0, y?: $1]", "[$0, ...($1)[]]", "[a: $0, ...b: ($1)[]]", "$0 | $1", "($0) & ($1)", "Maybe<$0>", "Box<$0>"],
  ...[
    "Partial<$0>",
    'Pick<Item, "name" | "count">',
    'Omit<Special, "name">',
    "Readonly<$0>",
    "Nested<$0>",
    "NonNullable<$0>",
  ],
  ...["{ name: $0; note?: $1 }", "{ [key: string]: $0 }", "{ a: $0; [key: string]: unknown }", "{ length: $0 }"],
  ...['{ name: $0 }["name"]', "Partial<{ name: $0; a: $1 }>", "{ name: $0 } & { a?: $1 }", "{ name(): $0; a: $1 }"],
];
const KEYS = ["name", "count", "next", "note", "level", "tags", "value", "more", "a", "b", "length", "items", "mark"];

function randomType(random: Random, depth = 0): string {
  if (depth > 2 || random.chance(0.4)) return random.pick(SCALARS);
  const inner = [randomType(random, depth + 1), randomType(random, depth + 1)];
  return random.pick(FORMS).replace(/\$([01])/g, (_, index) => `(${inner[Number(index)]})`);
}

function randomValue(random: Random, depth = 0): unknown {
  if (depth < 3 && random.chance(0.2)) return random.list(3, () => randomValue(random, depth + 1));
  if (depth < 3 && random.chance(0.3)) {
    return Object.fromEntries(random.list(3, () => [random.pick(KEYS), randomValue(random, depth + 1)]));
  }
  return random.pick(["a", "name", "x1", "", null, true, false, 0, 1, 2, 1.5, -3]);
}

/** A value that the schema might take, so that many are taken. */
function shapedValue(random: Random, schema: Schema, root: Schema, depth = 0): unknown {
  const inner = (one: Schema): unknown => shapedValue(random, one, root, depth + 1);
  if (random.chance(0.08) || depth > 5) return randomValue(random, depth);
  if (typeof schema["$ref"] === "string") {
    return inner((root["$defs"] as Record<string, Schema>)[schema["$ref"].slice(8)] ?? {});
  }
  if (Array.isArray(schema["anyOf"])) return inner(random.pick(schema["anyOf"]));
  if (Array.isArray(schema["allOf"])) return Object.assign({}, ...schema["allOf"].map(inner));
  if (Array.isArray(schema["enum"])) return random.pick(schema["enum"]);
  const type = Array.isArray(schema["type"]) ? random.pick(schema["type"]) : schema["type"];
  if (type === "array") {
    const first = (schema["prefixItems"] ?? []) as readonly Schema[];
    return [
      ...first.map(inner),
      ...random.list(first.length > 0 ? 0 : 3, () => inner((schema["items"] ?? {}) as Schema)),
    ];
  }
  if (type === "object" || "properties" in schema) {
    const required = (schema["required"] ?? []) as readonly string[];
    const named = Object.entries((schema["properties"] ?? {}) as Record<string, Schema>)
      .filter(([name]) => required.includes(name) || random.chance(0.6));
    const others = "additionalProperties" in schema
      ? random.list(2, () => [random.pick(KEYS), inner(schema["additionalProperties"] as Schema)])
      : [];
    return Object.fromEntries([...others, ...named.map(([name, one]) => [name, inner(one)])]);
  }
  const scalars = randomValue(random, 9);
  return type === undefined || typeof scalars === type ? scalars : type === "null" ? null : random.pick<unknown>(
    type === "string" ? ["a", "name"] : type === "number" ? [1, 1.5] : [true, false],
  );
}

Deno.test("a schema takes what the compiler takes", async () => {
  const random = Random.ofTest();
  const folder = Deno.makeTempDirSync();
  try {
    Deno.writeTextFileSync(`${folder}/shapes.ts`, SHAPES);
    const head = `import type { ${NAMES.replaceAll(" ", ", ")} } from "./shapes.ts";\n`;
    const cases: { type: string; schema: Schema; root: Schema; value: unknown }[] = [];
    for (let number = 0; number < SCRIPTS; number++) {
      const types = Array.from({ length: TYPES }, () => randomType(random));
      const parameters = types.map((type, i) => `p${i}: ${type}`).join(", ");
      const script = `${folder}/script_${number}.ts`;
      Deno.writeTextFileSync(script, `${head}export function main(${parameters}): void {}\n`);
      // deno-lint-ignore no-await-in-loop -- one process after another
      const root = await readSignature(new URL(`file://${script}`).href, `file://${folder}/`);
      const properties = root["properties"] as Record<string, Schema>;
      for (const [i, type] of types.entries()) {
        const schema = properties[`p${i}`] ?? {};
        for (let n = 0; n < VALUES; n++) cases.push({ type, schema, root, value: shapedValue(random, schema, root) });
      }
    }
    const lines = cases.map(({ type, value }, i) => `export const v${i}: ${type} = ${JSON.stringify(value)};`);
    Deno.writeTextFileSync(`${folder}/values.ts`, head + lines.join("\n"));
    const { stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["check", "--quiet", "--no-config", "--no-lock", `${folder}/values.ts`],
      env: { NO_COLOR: "1" },
    }).output();
    const errors = new TextDecoder().decode(stderr);
    assertIncludes(errors, "Type checking failed");
    const wrong = new Set([...errors.matchAll(/values\.ts:(\d+):/g)].map(([, line]) => Number(line) - 2));

    let refused = 0;
    let refusedByBoth = 0;
    for (const [i, { type, schema, root, value }] of cases.entries()) {
      const isFit = fits({ ...schema, $defs: root["$defs"] }, value);
      if (wrong.has(i)) {
        refused++;
        refusedByBoth += isFit ? 0 : 1;
      } else if (!isFit) {
        throw new Error(
          `${random.seed}: ${type} takes ${JSON.stringify(value)}, not its schema ${JSON.stringify(schema)}`,
        );
      }
    }
    if (refused > cases.length * (1 - TAKEN_SHARE_MIN) || refusedByBoth < refused * REFUSED_SHARE_MIN) {
      throw new Error(`${random.seed}: of ${cases.length} values, ${refused} are refused, ${refusedByBoth} by both`);
    }
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});
