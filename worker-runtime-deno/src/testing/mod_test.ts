import { current } from "../current.ts";
import { CallFailed, Canceled } from "../errors.ts";
import type { Context } from "../context.ts";
import { assertEquals, assertIncludes, assertRejects } from "./asserts.ts";
import { fakeJob } from "./mod.ts";

const SOURCES = new URL("../", import.meta.url).pathname;
const PAGE = new URL("../../../docs/how-to/test-scripts.md", import.meta.url);

Deno.test("the tests of the page for users pass", async () => {
  const page = (await Deno.readTextFile(PAGE)).split("## TypeScript")[1] ?? "";
  const [config = "", script = "", tests = ""] = [...page.matchAll(/```(?:json|ts)\n([^]*?)```/g)].map(([, text]) =>
    text
  );
  const folder = await Deno.makeTempDir();
  try {
    const files = { "deno.json": config.replaceAll("/path/to/millrace/worker-runtime-deno/src/", SOURCES) };
    for (const [name, text] of Object.entries({ ...files, "sell.ts": script, "sell_test.ts": tests })) {
      Deno.writeTextFileSync(`${folder}/${name}`, text);
    }
    const args = ["test", "--no-lock", "--allow-read"];
    const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), { args, cwd: folder }).output();
    const told = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
    assertIncludes(told, "3 passed");
    assertEquals(success, true);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("current is the fake job in what main calls, and nothing outside of it", async () => {
  const job = fakeJob({ step: "charge", attempt: 2, workspace: "shop" });
  const main = async (name: string, ctx: Context): Promise<unknown> => {
    await Promise.resolve();
    current().logger.info(`charged ${name}`);
    current().progress({ done: 1 });
    return [ctx.attempt, current().step, ctx.workspace];
  };
  assertEquals(await job.run(main, { name: "Ada" }), [2, "charge", "shop"]);
  job.retry();
  assertEquals(await job.run(main, { name: "Eve" }), [3, "charge", "shop"]);
  assertEquals(job.progress, [{ done: 1 }, { done: 1 }]);
  assertEquals(job.lines.length, 2);
  let outside = "";
  try {
    current();
  } catch (error) {
    outside = String(error);
  }
  assertEquals(outside.includes("No job is running here"), true);
});

Deno.test("calls without an answer fail, and tests can give one", async () => {
  const job = fakeJob();
  const main = async (): Promise<unknown> => await current().secrets.get("shop/key");
  await assertRejects(() => job.run(main), CallFailed);
  job.answer("secret.get", ({ path }) => `the value of ${path}`);
  assertEquals(await job.run(main), "the value of shop/key");
  assertEquals(job.calls, [["secret.get", { path: "shop/key" }], ["secret.get", { path: "shop/key" }]]);
});

Deno.test("a canceled job sees its signal", async () => {
  const job = fakeJob();
  const main = async (ctx: Context): Promise<void> => {
    job.cancel();
    await Promise.resolve();
    if (!ctx.signal.aborted) throw new Error("not aborted");
  };
  await assertRejects(() => job.run(main), Canceled);
});
