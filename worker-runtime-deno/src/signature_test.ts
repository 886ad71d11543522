import { readSignature } from "./signature.ts";
import type { Schema } from "./signature_types.ts";
import { assertEquals } from "./testing/asserts.ts";

async function schemaOf(source: string, files: Readonly<Record<string, string>> = {}): Promise<Schema> {
  const folder = Deno.makeTempDirSync();
  try {
    for (const [path, text] of Object.entries({ "script.ts": source, ...files })) {
      Deno.mkdirSync(`${folder}/${path}`.replace(/\/[^/]*$/, ""), { recursive: true });
      Deno.writeTextFileSync(`${folder}/${path}`, text);
    }
    return await readSignature(`file://${folder}/script.ts`, `file://${folder}/`);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

async function ofType(type: string, declarations = ""): Promise<unknown> {
  const schema = await schemaOf(`${declarations}\nexport function main(a: ${type}): void {}`);
  return (schema["properties"] as Record<string, Schema>)["a"];
}

/** The rows of the table with the types in the documentation. */
function documented(): readonly (readonly [string, unknown])[] {
  const page = Deno.readTextFileSync(new URL("../../docs/reference/input-schemas.md", import.meta.url));
  const section = page.slice(page.indexOf("## What types become"));
  const rows = [...section.slice(0, section.indexOf("\n## ", 1)).matchAll(/^\| `(.+)` \| `(.+)` \|$/gm)];
  return rows.map((
    [, type = "", schema = ""],
  ) => [type.replaceAll("\\|", "|"), JSON.parse(schema.replaceAll("\\|", "|"))]);
}

Deno.test("types become what the documentation says", async () => {
  const rows = documented();
  const parameters = rows.map(([type], i) => `p${i}: ${type}`).join(", ");
  const schema = await schemaOf(`
    interface Item { name: string; count?: number }
    enum Speed { Normal = "normal", Fast = "fast" }
    export function main(${parameters}) {}
  `);

  const properties = schema["properties"] as Record<string, unknown>;
  assertEquals(rows.map(([type], i) => [type, properties[`p${i}`]]), rows);
  assertEquals(rows.length > 15, true);
});

Deno.test("comments describe, and literals are defaults", async () => {
  const schema = await schemaOf(`
    /** What to pack. */
    interface Item {
      /** Its name. */
      name: string;
    }
    /**
     * Packs an order.
     *
     * With care.
     *
     * @param items What
     *     to pack.
     */
    export async function main(items: Map<string, Item>, first: Item, speed: "normal" | "fast" = "normal", count = 3,
      note = 'it', many: string[] = [], more?: number, none: number | null = null, made = 1 + 2, ctx?: unknown) {}
  `);

  assertEquals(schema, {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    description: "Packs an order.",
    properties: {
      items: { description: "What to pack." },
      first: { $ref: "#/$defs/Item" },
      speed: { enum: ["normal", "fast"], default: "normal" },
      count: { type: "number", default: 3 },
      note: { type: "string", default: "it" },
      many: { type: "array", items: { type: "string" }, default: [] },
      more: { type: ["number", "null"] },
      none: { type: ["number", "null"], default: null },
      made: {},
    },
    required: ["items", "first"],
    additionalProperties: false,
    $defs: {
      Item: {
        type: "object",
        title: "Item",
        description: "What to pack.",
        properties: { name: { type: "string", description: "Its name." } },
        required: ["name"],
      },
    },
  });
});

Deno.test("types come from the files of the version, whatever else cannot be had", async () => {
  const schema = await schemaOf(
    `
    import { type Circle as Round } from "./lib/shapes.ts";
    import type * as lib from "/lib/shapes.ts";
    import { z } from "npm:zod@4";
    import type { Gone } from "./gone.ts";
    import other from "bare";
    const lazy = () => import("https://example.com/x.ts");
    export const main = async (a: Round, b: lib.Color, c: z.ZodAny, d: Gone, e: lib.Tree<number>) => {};
  `,
    {
      "lib/shapes.ts": `
        import type { Text } from "./text.ts";
        export { Color } from "./text.ts";
        export interface Circle { inner: Circle[]; text: Text }
        export type Tree<T> = { value: T; children?: Tree<T>[] };`,
      "lib/text.ts": `export type Text = string | number; export enum Color { Red = "red" }`,
    },
  );

  assertEquals(schema["properties"], {
    a: { $ref: "#/$defs/Circle" },
    b: { enum: ["red"], title: "Color" },
    c: {},
    d: {},
    e: { $ref: "#/$defs/Tree" },
  });
  assertEquals(schema["$defs"], {
    Circle: {
      type: "object",
      title: "Circle",
      properties: {
        inner: { type: "array", items: { $ref: "#/$defs/Circle" } },
        text: { type: ["string", "number"] },
      },
      required: ["inner", "text"],
    },
    Tree: {
      type: "object",
      title: "Tree",
      properties: {
        value: { type: "number" },
        children: { type: ["array", "null"], items: { $ref: "#/$defs/Tree" } },
      },
      required: ["value"],
    },
  });
});

Deno.test("a parameter that takes the whole input", async () => {
  const item = { type: "object", properties: { a: { type: "number" }, b: { type: "string" } } };

  const destructured = await schemaOf("export function main({ a, b = 'x' }: { a: number; b: string }) {}");
  assertEquals([destructured["properties"], destructured["required"]], [item.properties, ["a"]]);
  const { then, else: otherwise } = await schemaOf("export function main(input: { a: number; b: string }) {}");
  const whole = { ...item, required: ["a", "b"] };
  assertEquals([then, otherwise], [{ properties: { input: whole }, additionalProperties: false }, whole]);
});

Deno.test("what is not certain takes anything", async () => {
  for (
    const source of [
      "export const main = make((a: string) => a); declare const make: any;",
      "export function main(a: string): void; export function main(a: number): void; export function main(a: any) {}",
      "export { main } from './other.ts';",
      "export const inputSchema = {}; export function main(a: string) {}",
      "export function main(a: string {}",
      `export function main(a: ${"[".repeat(3000)}${"]".repeat(3000)}) {}`,
    ]
  ) {
    // deno-lint-ignore no-await-in-loop -- one process after another
    assertEquals([source, await schemaOf(source, { "other.ts": "export function main(a: string) {}" })], [source, {}]);
  }
  assertEquals(await ofType("Date", "interface Date { a: 1 } interface Date { b: 2 }"), {});
  assertEquals(await ofType("Flags", "enum Flags { A = 1, B = 2 }"), { type: "number", title: "Flags" });
  assertEquals(await ofType("Order", "enum Order { Up = -1, Down = 1 }"), {});
  assertEquals(await ofType("Deep<string>", "interface Deep<T> { deeper: Deep<T[]> }"), {});
  assertEquals(await ofType('"\\ud800"'), { type: "string" });
  assertEquals(await ofType("{ __proto__: string; constructor: number }"), {
    properties: JSON.parse('{"__proto__": {"type": "string"}, "constructor": {"type": "number"}}'),
    required: ["__proto__", "constructor"],
  });
});

Deno.test("of a very large schema, the names stay", async () => {
  const names = Array.from({ length: 20_000 }, (_, i) => `"name ${i}"`).join(" | ");

  const schema = await schemaOf(`export function main(a: ${names}, b = 1) {}`);
  assertEquals([schema["properties"], schema["required"], schema["$defs"]], [{ a: {}, b: {} }, ["a"], undefined]);
});
