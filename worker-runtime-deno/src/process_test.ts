import { assertEquals, assertIncludes } from "./testing/asserts.ts";
import { cancel, job, printed, RuntimeProcess } from "./testing/runtime_process.ts";

Deno.test("says ready with its version", async () => {
  await using process = new RuntimeProcess("export function main() {}");

  assertEquals(await process.nextFrame(), { type: "ready", protocol: 2, runtime: `deno ${Deno.version.deno}` });
});

Deno.test("runs jobs of the pipe in their order", async () => {
  await using process = new RuntimeProcess("export async function main(n: number) { await null; return n; }");
  const ids = Array.from({ length: 100 }, (_, n) => `job-${n}`);

  await process.send(...ids.map((id, n) => job(id, { n })));

  for (const [n, id] of ids.entries()) {
    // deno-lint-ignore no-await-in-loop -- frames come one after another
    assertEquals((await process.framesUntilEnd(id)).at(-1), { type: "result", id, result: n });
  }
});

Deno.test("takes an input and returns a result larger than a pipe", async () => {
  await using process = new RuntimeProcess("export function main(text: string) { return text + text; }");
  const text = "ü".repeat(1_000_000);

  assertEquals(await process.result({ text }), text + text);
});

Deno.test("ends at the end of stdin", async () => {
  await using process = new RuntimeProcess("export function main() {}");
  await process.result();

  await process.closeStdin();

  assertEquals(await process.exitCode(), 0);
});

Deno.test("ends with its host while a job runs", async () => {
  await using process = new RuntimeProcess(
    "export async function main() { console.log('waiting'); await new Promise((end) => setTimeout(end, 3_600_000)); }",
  );
  await process.send(job("job-1"));
  await process.framesUntil("log");

  await process.closeStdin();

  assertEquals(await process.exitCode(), 1);
});

Deno.test("shows what the script prints while it is loaded", async () => {
  await using process = new RuntimeProcess("console.log('loading'); export function main() {}");

  const frames = await process.framesUntil("ready");

  assertEquals(frames[0], { type: "log", id: "", stream: "stdout", text: "loading\n" });
});

Deno.test("hands over the context", async () => {
  await using process = new RuntimeProcess(`
    import type { Context } from "millrace";
    export function main(a: number, ctx: Context) {
      ctx.progress({ done: 3 });
      const left = (ctx.deadline?.getTime() ?? 0) - Date.now();
      return [a, ctx.jobId, ctx.runId, ctx.step, ctx.attempt, ctx.traceparent, left > 299_000 && left <= 300_000];
    }
  `);

  const frames = await process.run({ a: 1 }, { step: "count[3]", attempt: 2, traceparent: "00-aa-bb-01" });

  assertEquals(frames[0], { type: "progress", id: "job-1", value: { done: 3 } });
  assertEquals(frames[1]?.["result"], [1, "job-1", "run-1", "count[3]", 2, "00-aa-bb-01", true]);
});

Deno.test("aborts the signal of a canceled job", async () => {
  await using process = new RuntimeProcess(`
    export async function main(ctx: { signal: AbortSignal }) {
      console.log("waiting");
      const { promise, reject } = Promise.withResolvers();
      ctx.signal.addEventListener("abort", () => reject(ctx.signal.reason));
      await promise.finally(() => console.log("cleaned up"));
    }
  `);
  await process.send(job("job-1"));
  await process.framesUntil("log");

  process.kill("SIGTERM");
  await process.send(cancel("job-1"));

  const frames = await process.framesUntilEnd("job-1");
  assertEquals(printed(frames), "cleaned up\n");
  const error = frames.at(-1);
  assertEquals([error?.["name"], error?.["message"], error?.["retryable"]], [
    "Canceled",
    "The job was asked to stop.",
    false,
  ]);
});

Deno.test("never starts a job that was canceled in the pipe", async () => {
  await using process = new RuntimeProcess("export function main(n: number) { return n; }");

  await process.send(job("job-1", { n: 1 }), job("job-2", { n: 2 }), cancel("job-2"), job("job-3", { n: 3 }));

  assertEquals((await process.framesUntilEnd("job-1")).at(-1)?.["result"], 1);
  assertEquals((await process.framesUntilEnd("job-2")).map((frame) => frame["name"]), ["Canceled"]);
  assertEquals((await process.framesUntilEnd("job-3")).at(-1)?.["result"], 3);
});

Deno.test("a late cancel does not hit the next attempt of the job", async () => {
  await using process = new RuntimeProcess("export function main() { return 1; }");
  await process.send(job("job-1"));
  await process.framesUntilEnd("job-1");

  await process.send(cancel("job-1"), job("job-1", {}, { attempt: 2 }));

  assertEquals((await process.framesUntilEnd("job-1")).at(-1)?.["result"], 1);
});

Deno.test("says why a script cannot be loaded", async () => {
  const scripts: [source: string, name: string, message: string][] = [
    [
      "export async function* main() { yield 1; }",
      "LoadError",
      "The function main of script.ts is a generator, whose body would not run: write `function`, not `function*`, and return" +
      " an array of what it yields.",
    ],
    ["export const x = 1;", "LoadError", "script.ts exports no function main: write `export function main(…)`."],
    ["throw new RangeError('top level'); export function main() {}", "RangeError", "top level"],
    ["Deno.exit(4); export function main() {}", "SystemExit", "The script called Deno.exit(4)."],
    ["export function main( {", "TypeError", "Unexpected token"],
    [
      "export function main({ a }: { a: number }, b: number) {}",
      "LoadError",
      "The parameter { a } of main has no name",
    ],
  ];
  for (const [source, name, message] of scripts) {
    await using process = new RuntimeProcess(source);
    // deno-lint-ignore no-await-in-loop -- one process at a time
    const frame = await process.nextFrame();
    assertEquals([frame["type"], frame["name"]], ["load_error", name]);
    assertIncludes(String(frame["message"]), message);
    // deno-lint-ignore no-await-in-loop -- one process at a time
    assertEquals(await process.exitCode(), 3);
  }
});
