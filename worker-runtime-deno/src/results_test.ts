import { ResultError } from "./errors.ts";
import { encodeValue } from "./results.ts";
import { assertEquals, assertThrows } from "./testing/asserts.ts";

Deno.test("encodes what JSON has a form for", () => {
  const values: [value: unknown, json: string][] = [
    [undefined, "null"],
    [null, "null"],
    ["ü\n", '"ü\\n"'],
    [{ a: undefined, b: [undefined, 1.5] }, '{"b":[null,1.5]}'],
    [new Date(0), '"1970-01-01T00:00:00.000Z"'],
    [
      new (class Point {
        x = 1;
      })(),
      '{"x":1}',
    ],
    [Object.create(null), "{}"],
    [new URL("https://example.com"), '"https://example.com/"'],
    [[new Number(1), new String("a"), new Boolean(false), -0], '[1,"a",false,0]'],
    // deno-lint-ignore no-sparse-arrays
    [[1, , 3], "[1,null,3]"],
  ];
  for (const [value, json] of values) assertEquals(encodeValue(value), json);
});

Deno.test("names the place that is not JSON", () => {
  const cycle: { self?: unknown } = {};
  cycle.self = [cycle];
  const values: [value: unknown, trouble: string][] = [
    [{ items: [1, 2, 3, 4n] }, "result.items[3] is a BigInt, which JSON has no form for"],
    [NaN, "result is NaN, which JSON has no number for"],
    [[1, { "a b": -Infinity }], 'result[1]["a b"] is -Infinity, which JSON has no number for'],
    [{ f: () => 1 }, "result.f is a function, which JSON has no form for"],
    [[Symbol("s")], "result[0] is a symbol, which JSON has no form for"],
    [new Map(), "result is of type Map, which JSON has no form for: return Object.fromEntries(…) of it"],
    [{ set: new Set() }, "result.set is of type Set, which JSON has no form for: return an array of its members"],
    [new Number(NaN), "result is NaN, which JSON has no number for"],
    [[new Date(NaN)], "result[0] is an invalid date, which JSON has no form for"],
    [{ "\ud800": 1 }, "result has a key with half of a surrogate pair, which is not valid Unicode text"],
    [new Uint16Array(3), "result is of type Uint16Array, which JSON has no form for"],
    [{ p: Promise.resolve() }, "result.p is a promise: await it"],
    [["ok", "\ud800"], "result[1] has half of a surrogate pair, which is not valid Unicode text"],
    [cycle, "result.self[0] contains itself"],
  ];
  for (const [value, trouble] of values) {
    const { message } = assertThrows(() => encodeValue(value), ResultError);
    assertEquals(message, `${trouble}. Return only null, booleans, finite numbers, strings, arrays and plain objects.`);
  }
});

class Hidden {
  #amount = 1;
  get amount(): number {
    return this.#amount;
  }
}

class Marked extends Response {
  extra = 1;
}

Deno.test("refuses objects whose content no field holds", () => {
  const form = new FormData();
  form.append("a", "b");
  const values: readonly (readonly [value: unknown, type: string])[] = [
    [new Response("x"), "Response"],
    [new Marked("x"), "Response"],
    [new Request("http://localhost"), "Request"],
    [new Headers({ a: "b" }), "Headers"],
    [new URLSearchParams("a=1"), "URLSearchParams"],
    [form, "FormData"],
    [new Blob(["a"]), "Blob"],
    [new File(["a"], "name"), "File"],
    [new Map([[1, 2]]).entries(), "Map Iterator"],
    [[1].values(), "Array Iterator"],
    [Iterator.from([1]).map((item) => item), "Iterator Helper"],
    [
      (function* (): Generator<number> {
        yield 1;
      })(),
      "Generator",
    ],
    [
      (async function* (): AsyncGenerator<number> {
        yield await Promise.resolve(1);
      })(),
      "AsyncGenerator",
    ],
    [new ReadableStream(), "ReadableStream"],
    [new AbortController(), "AbortController"],
    [new AbortController().signal, "AbortSignal"],
    [new Intl.NumberFormat("en"), "Intl.NumberFormat"],
    [new WeakRef({}), "WeakRef"],
    [/a/, "RegExp"],
    [new Error("a"), "Error"],
    [new DataView(new ArrayBuffer(1)), "DataView"],
    [Object(1n), "BigInt"],
    [Object(Symbol("a")), "Symbol"],
    [new Hidden(), "Hidden"],
  ];
  for (const [value, type] of values) {
    const { message } = assertThrows(() => encodeValue({ items: [{ value }] }), ResultError);
    const said = `result.items[0].value is of type ${type}`;
    assertEquals(message.slice(0, said.length), said);
  }
});

Deno.test("says what to return in place of a response", () => {
  const { message } = assertThrows(() => encodeValue({ nested: [new Response("x")] }), ResultError);
  assertEquals(
    message.split(". ", 1)[0],
    "result.nested[0] is of type Response, which JSON has no form for: return `await` its json(), text() or bytes()",
  );
});

Deno.test("refuses what is nested too deeply", () => {
  for (const levels of [501, 900, 50_000, 100_000]) {
    const { message } = assertThrows(() => encodeValue(nested("]]", levels)), ResultError);
    assertEquals(message.slice(0, 40), "result is nested deeper than 500 levels.");
  }
});

Deno.test("encodes what is nested as deeply as allowed", () => {
  const value = nested("[[[[".repeat(200) + '\\"', 500);
  assertEquals(JSON.parse(encodeValue(value)), value);
});

function nested(innermost: string, levels: number): unknown {
  let value: unknown = innermost;
  for (let level = 0; level < levels; level++) value = level % 2 === 0 ? { '"[': value } : [value];
  return value;
}

Deno.test("writes bytes in base64, as bytes of Python", () => {
  const bytes = new TextEncoder().encode("Ünits");

  assertEquals(
    encodeValue({ bytes, empty: new Uint8Array(), part: bytes.subarray(0, 2) }),
    '{"bytes":"w5xuaXRz","empty":"","part":"w5w="}',
  );
  assertEquals(
    assertThrows(() => encodeValue([bytes, new Uint16Array(2)]), ResultError).message.startsWith("result[1] is"),
    true,
  );
});
