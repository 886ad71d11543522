import { Conversions } from "./conversions.ts";
import { InputError } from "./errors.ts";
import { type Parameters, readParameters } from "./parameters.ts";
import { assertEquals, assertThrows } from "./testing/asserts.ts";
import { RuntimeProcess } from "./testing/runtime_process.ts";
import { TypeSources } from "./type_sources.ts";

const URL_OF_SCRIPT = "file:///script.ts";
const DAY = "2026-01-31";
const DATE = new Date(DAY);

async function parametersOf(
  names: string,
  script: string,
  files: Readonly<Record<string, string>> = {},
): Promise<Parameters> {
  const read = (url: string): Promise<string> => {
    const text = files[url];
    return text === undefined ? Promise.reject(new Error(`There is no ${url}.`)) : Promise.resolve(text);
  };
  const conversions = new Conversions(await TypeSources.of(URL_OF_SCRIPT, script, read));
  const main = new Function(`return function main(${names}) {}`)() as () => unknown;
  return readParameters(main, script, (type) => conversions.of(type, URL_OF_SCRIPT));
}

/** What a parameter of this type gets. */
async function converted(type: string, value: unknown, declarations = ""): Promise<unknown> {
  const script = `${declarations}\nexport function main(p: ${type}, ctx?: { when: Date }) {}`;
  return (await parametersOf("p, ctx", script)).bind({ p: value }, "the context")[0];
}

async function messageOf(type: string, value: unknown, declarations = ""): Promise<string> {
  const script = `${declarations}\nexport function main(p: ${type}) {}`;
  const parameters = await parametersOf("p", script);
  return assertThrows(() => parameters.bind({ p: value }, undefined), InputError).message;
}

Deno.test("converts at any depth", async () => {
  for (
    const [type, value, expected] of [
      ["Date", DAY, DATE],
      ["Date | null", null, null],
      ["undefined | Date", DAY, DATE],
      ["(Date | null)[]", [DAY, null], [DATE, null]],
      ["readonly Date[]", [DAY], [DATE]],
      ["Array<{ at?: Date; name: string }>", [{ at: DAY, name: DAY }, { name: "b" }], [{ at: DATE, name: DAY }, {
        name: "b",
      }]],
      ["ReadonlyArray<Date>", [DAY], [DATE]],
      ["Record<string, Date>", { a: DAY, b: null }, { a: DATE, b: null }],
      ["{ [name: string]: Date[]; }", { a: [DAY] }, { a: [DATE] }],
      ["[string, Date, ...Date[]]", [DAY, DAY, DAY], [DAY, DATE, DAY]],
      ["[from: Date, to?: Date]", [DAY], [DATE]],
      ["{ readonly a: { 'b c': Date }\n  d(x: Date): void\n e: Date }", { a: { "b c": DAY }, e: DAY }, {
        a: { "b c": DATE },
        e: DATE,
      }],
      ["Partial<{ a: Date }> & Readonly<{ b: Date; c: string }>", { a: DAY, b: DAY, c: DAY }, {
        a: DATE,
        b: DATE,
        c: DAY,
      }],
      ["Omit<{ a: Date; b: Date }, 'b'>", { a: DAY, b: DAY }, { a: DATE, b: DAY }],
      ["Pick<{ a: Date; b: Date }, 'b'>", { a: DAY, b: DAY }, { a: DAY, b: DATE }],
      ["Date | Date[] | { at: Date }", { at: DAY }, { at: DATE }],
      ["Date | 'now'", "now", "now"],
      ["Date | 'now'", DAY, DATE],
      ["Date | string", DAY, DAY],
      ["{ kind: 'a'; at: Date } | { kind: 'b'; at: string }", { kind: "a", at: DAY }, { kind: "a", at: DATE }],
      ["{ kind: 'a'; at: Date } | { kind: 'b'; at: string }", { kind: "b", at: DAY }, { kind: "b", at: DAY }],
      ["(a: Date) => Date", DAY, DAY],
      ["Promise<Date>", DAY, DAY],
      ["{ [K in 'a']: Date }", { a: DAY }, { a: DAY }],
      ["typeof x extends Date ? Date : Date", DAY, DAY],
      ["{ data: Uint8Array; more: Uint8Array<ArrayBuffer> }", { data: "w5w=", more: "" }, {
        data: new Uint8Array([195, 156]),
        more: new Uint8Array(),
      }],
      ["bigint[]", [1, -2, "12345678901234567890"], [1n, -2n, 12345678901234567890n]],
      ["bigint | number", 3, 3],
      ["bigint | boolean | null", "3", 3n],
    ] as const
  ) {
    // deno-lint-ignore no-await-in-loop -- each names its type if it fails
    assertEquals([type, await converted(type, structuredClone(value))], [type, expected]);
  }
});

Deno.test("finds what types are declared as", async () => {
  const declarations = `
    // A comment, with { and ( and <.
    export interface Base { created: Date } interface NotAtABegin { created: string }
    export interface Order extends Base {
      /** When it was sent; unknown before. */
      sent?: Date | null;
      lines: Line[];
      parent?: Order;
      get total(): number;
    }
    type Line = { readonly due: Date; count: number };
    interface Page<T, U = Date> { items: T[]; next: U }
    type Maybe<T> = T | null;
    enum Level { A = "a" }
    class Thing { at = new Date() }
    interface Order { merged: Date }
  `;
  const order = { created: DAY, lines: [{ due: DAY, count: 1 }], parent: { sent: DAY, lines: [] }, merged: DAY };
  const made = { created: DATE, lines: [{ due: DATE, count: 1 }], parent: { sent: DATE, lines: [] }, merged: DATE };

  assertEquals(await converted("Order", structuredClone(order), declarations), made);
  assertEquals(
    await converted("Page<Maybe<Order>>", { items: [structuredClone(order), null], next: DAY }, declarations),
    { items: [made, null], next: DATE },
  );
  assertEquals(await converted("Page<Line, string>", { items: [], next: DAY }, declarations), { items: [], next: DAY });
  assertEquals(await converted("[Level, Thing, Date]", ["a", { at: DAY }, DAY], declarations), [
    "a",
    { at: DAY },
    DATE,
  ]);
  assertEquals(await converted("Date", DAY, "type Date = string;"), DAY);
  assertEquals(await converted("Date[]", [DAY], 'import { Date } from "npm:dates";'), [DAY]);
  assertEquals(await converted("Endless<Date>", { at: DAY }, "type Endless<T> = { at: T; more?: Endless<T[]> };"), {
    at: DATE,
  });
});

Deno.test("finds types in other files of the version", async () => {
  const files = {
    "file:///lib/types.ts": `
      export * from "./more.ts";
      export type { Inner as Renamed } from "./more.ts";
      import type { Missing } from "./missing.ts";
      export interface Outer { at: Date; inner: Renamed; missing?: Missing }`,
    "file:///lib/more.ts": "export interface Inner { at: Date }\nexport type Date2 = Date;",
  };
  const script = `
    import { type Outer as Shape, Inner } from "./lib/types.ts";
    import type { Date2 } from "./lib/types.ts";
    import Default, * as all from "./lib/more.ts";
    export async function main(a: Shape, b: Map<string, Inner>, c: Inner, d?: Date2, e?: Default) {}`;
  const parameters = await parametersOf("a, b, c, d, e", script, files);

  assertEquals(
    parameters.bind({ a: { at: DAY, inner: { at: DAY } }, b: { at: DAY }, c: { at: DAY }, d: DAY, e: DAY }, undefined),
    [{ at: DATE, inner: { at: DATE } }, { at: DAY }, { at: DATE }, DATE, DAY],
  );
});

Deno.test("converts the whole input", async () => {
  const whole = await parametersOf("input", "export const main = (input: { items: { when: Date }[] }) => input;");
  assertEquals(whole.bind({ items: [{ when: DAY }] }, undefined), [{ items: [{ when: DATE }] }]);
  assertEquals(
    assertThrows(() => whole.bind({ items: [{ when: DAY }, { when: DAY }, { when: 1 }] }, undefined), InputError)
      .message,
    "input.items[2].when: 1 is not a date and time such as 2026-01-31T09:30:00Z.",
  );
  const parts = await parametersOf(
    "{ at, more = 1 }",
    "export function main({ at, more = 1 }: { at: Date; more?: number }) {}",
  );
  assertEquals(parts.bind({ at: DAY }, undefined), [{ at: DATE }]);
  assertEquals(
    assertThrows(() => parts.bind({ at: "x" }, undefined), InputError).message,
    'at: "x" is not a date and time such as 2026-01-31T09:30:00Z.',
  );
});

Deno.test("names the place of what cannot be converted", async () => {
  const date = "is not a date and time such as 2026-01-31T09:30:00Z.";
  assertEquals(await messageOf("Date", "2026-01-32"), `p: "2026-01-32" ${date}`);
  assertEquals(await messageOf("{ a: Record<string, Date>[] }", { a: [{}, { "x y": 3 }] }), `p.a[1]["x y"]: 3 ${date}`);
  assertEquals(await messageOf("Uint8Array[]", ["", "%"]), 'p[1]: "%" is not base64.');
  assertEquals(await messageOf("bigint", 1.5), "p: 1.5 is not a whole number.");
  assertEquals(await messageOf("bigint", "0x10"), 'p: "0x10" is not a whole number.');
  assertEquals(
    await messageOf("{ id: bigint }", { id: 2 ** 53 }),
    'p.id: 9007199254740992 may have lost digits. Give it as a text, such as "12345678901234567890".',
  );
});

Deno.test("a member named __proto__ stays a member", async () => {
  const value = await converted("Record<string, Date>", JSON.parse(`{"__proto__": "${DAY}"}`)) as object;

  assertEquals(Object.getPrototypeOf(value), Object.prototype);
  assertEquals(Object.getOwnPropertyDescriptor(value, "__proto__")?.value, DATE);
});

Deno.test("a process converts by the types of its files", async () => {
  await using process = new RuntimeProcess(
    `import type { Order } from "./lib/order.ts";
     export const main = (orders: Order[]) => orders.map((one) => one.when.getUTCFullYear());`,
    [],
    { "lib/order.ts": "export interface Order { when: Date }" },
  );

  assertEquals(await process.result({ orders: [{ when: DAY }] }), [2026]);
  assertEquals(
    (await process.error({ orders: [{ when: DAY }, { when: "soon" }] })).message,
    'orders[1].when: "soon" is not a date and time such as 2026-01-31T09:30:00Z.',
  );
});
