import { denoHost } from "./deno_host.ts";
import { InputError, NonRetryableError } from "./errors.ts";
import { describeFailure } from "./failures.ts";
import { setHost } from "./host.ts";
import { assertEquals, assertIncludes } from "./testing/asserts.ts";
import { RuntimeProcess } from "./testing/runtime_process.ts";

setHost(denoHost);

Deno.test("shows the user's frames only, with causes", async () => {
  await using process = new RuntimeProcess(`
    export async function main() {
      try { await inner(); } catch (cause) { throw new RangeError("outer", { cause }); }
    }
    async function inner(): Promise<void> { await null; JSON.parse("{"); }
  `);

  const { name, message, stack, retryable } = await process.error();

  assertEquals([name, message, retryable], ["RangeError", "outer", true]);
  const frames = String(stack).split("\n").filter((line) => /^\s+at /.test(line));
  assertEquals(frames.length >= 2, true);
  assertEquals(frames.every((line) => /[ (]script\.ts:\d+|<anonymous>/.test(line)), true);
  assertEquals(String(stack).includes(process.folder), false);
  assertIncludes(String(stack), "Caused by: SyntaxError");
});

Deno.test("says what to do if a file is not in the version", async () => {
  const sources = ['import { x } from "./helper.ts"; export const main = () => x;', 'import "../lib/helper.ts";'];
  await Promise.all(sources.map(async (source) => {
    await using process = new RuntimeProcess(source);

    const { type, message } = await process.nextFrame();

    assertEquals(type, "load_error");
    assertIncludes(String(message), "helper.ts");
    assertIncludes(String(message), "belongs to its version");
    assertEquals(String(message).includes(process.folder), false);
  }));
});

Deno.test("shows the files of a version by their paths", async () => {
  const source = 'import { f } from "./lib/text.ts"; export const main = () => f();';
  const files = {
    "lib/text.ts": 'import { g } from "../near.ts";\nexport const f = () => g();',
    "near.ts": "export function g() { throw new Error(import.meta.url); }",
  };
  await using process = new RuntimeProcess(source, [], files);

  const { message, stack } = await process.error();

  assertEquals(message, "near.ts");
  assertIncludes(String(stack), "lib/text.ts:2:");
  assertIncludes(String(stack), "near.ts:1:");
  assertEquals(String(stack).includes(process.folder), false);
});

Deno.test("describes whatever can be thrown", () => {
  assertEquals(describeFailure("text").message, 'The script threw a value that is not an Error: "text"');
  assertEquals(describeFailure(undefined).name, "Error");
  assertEquals(
    describeFailure(
      new Proxy(new Error("x"), {
        get: () => {
          throw 1;
        },
      }),
    ).name,
    "Error",
  );
});

Deno.test("tells whether to try again", () => {
  assertEquals(describeFailure(new Error("x")).retryable, true);
  assertEquals(describeFailure(new NonRetryableError("x")).retryable, false);
  assertEquals(describeFailure(new InputError("x")).stack, "");
  assertEquals(describeFailure(Object.assign(new Error("x"), { retryable: false })).retryable, false);
});

Deno.test("gathers the errors of an AggregateError", () => {
  const { stack } = describeFailure(new AggregateError([new RangeError("one"), new TypeError("two")], "both"));

  assertIncludes(stack, "With: RangeError: one");
  assertIncludes(stack, "With: TypeError: two");
});
