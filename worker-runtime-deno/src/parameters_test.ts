import { InputError, LoadError } from "./errors.ts";
import { readParameters } from "./parameters.ts";
import { assertEquals, assertThrows } from "./testing/asserts.ts";

type AnyFunction = (...args: never[]) => unknown;

function bind(main: AnyFunction, input: unknown, script = `export const main = ${main}`): unknown[] {
  return readParameters(main, script).bind(input, "the context");
}

function messageOf(main: AnyFunction, input: unknown): string {
  return assertThrows(() => bind(main, input), InputError).message;
}

Deno.test("fills parameters by name", () => {
  assertEquals(bind((a: number, b: number) => [a, b], { b: 2, a: 1 }), [1, 2]);
  assertEquals(
    bind(function main(a: number): number {
      return a;
    }, { a: 1 }),
    [1],
  );
  assertEquals(
    bind(async function (a: number, ctx: unknown): Promise<unknown> {
      return await [a, ctx];
    }, { a: 1 }),
    [1, "the context"],
  );
  // deno-fmt-ignore
  assertEquals(bind(async a => await a, { a: 1 }), [1]);
  assertEquals(
    bind(
      {
        main(a: number): number {
          return a;
        },
      }.main,
      { a: 1 },
    ),
    [1],
  );
});

Deno.test("leaves out what has a default, however that is written", () => {
  const main = (
    a = ") , {",
    b = `x ${[1, 2].join(`, ${"}"}`)} ,`,
    c = /[/,)]\/,/,
    d = (x: number, y = ",") => [x, y], // a comment, with a comma (
    e = { f: [1, 2], g: "," }, /* and, another ) */
    z: number,
  ): unknown => [a, b, c, d, e, z];

  assertEquals(bind(main, { z: 1 }), [undefined, undefined, undefined, undefined, undefined, 1]);
});

Deno.test("leaves out what its type marks with a question mark", () => {
  const script = `
    // function main(b) is not this one
    export async function main(
      a: Map<string, number>, b?: { c?: string, d: number }, d: (x?: number) => void, ctx?: Context
    ): Promise<void> {}`;
  const main = (a: unknown, b: unknown, d: unknown, ctx: unknown): unknown => [a, b, d, ctx];

  assertEquals(bind(main, { a: 1, d: 2 }, script), [1, undefined, 2, "the context"]);
  const { message } = assertThrows(() => bind(main, { a: 1 }, script), InputError);
  assertEquals(message, "The input lacks the key `d` that main needs: it takes a, b?, d.");
});

Deno.test("needs nothing of a main that another module declares", () => {
  assertEquals(bind((a: unknown) => a, {}, `export { main } from "./other.ts";`), [undefined]);
});

Deno.test("names what is missing and what is unknown", () => {
  const main = (name: string, greeting = "Hello"): string => greeting + name;

  assertEquals(
    messageOf(main, {}),
    'The input lacks the key `name` that main needs: it takes name, greeting = "Hello".',
  );
  assertEquals(
    messageOf(main, { name: 1, x: 1, y: 2 }),
    'The input has the keys `x`, `y` that main does not take: it takes name, greeting = "Hello".',
  );
  assertEquals(
    messageOf(() => 1, { a: 1 }),
    "The input has the key `a` that main does not take: it takes no parameters.",
  );
  assertEquals(
    messageOf((a: number, ctx: unknown) => [a, ctx], { a: 1, ctx: 2 }),
    "The input has the key `ctx` that main does not take: it takes a.",
  );
});

Deno.test("refuses what is not an object", () => {
  const message = "but main takes an object whose keys are its parameters: a = 1.";

  assertEquals(messageOf((a = 1) => a, [1]), `The input is an array, ${message}`);
  assertEquals(messageOf((a = 1) => a, "x"), `The input is a string, ${message}`);
  assertEquals(bind((a = 1) => a, null), [undefined]);
});

Deno.test("hands the whole input to an only parameter that is destructured or named input", () => {
  assertEquals(bind(({ a }: { a: number }) => a, { a: 1, b: 2 }), [{ a: 1, b: 2 }]);
  assertEquals(bind(({ a = 1 }, ctx: unknown) => [a, ctx], { input: 3 }), [{ input: 3 }, "the context"]);
  assertEquals(bind((input: unknown) => input, { a: 1 }), [{ a: 1 }]);
  assertEquals(bind((input: unknown) => input, [1]), [[1]]);
  assertEquals(bind((input: unknown) => input, { input: 1 }), [1]);
});

Deno.test("refuses a main whose parameters have no names", () => {
  assertThrows(() => bind(({ a }: { a: number }, b: number) => [a, b], {}), LoadError);
  assertThrows(() => bind(((a: number) => a).bind(null), {}), LoadError);
});
