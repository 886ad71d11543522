import { assertEquals } from "./testing/asserts.ts";
import { cancel, type Frame, job, printed, RuntimeProcess } from "./testing/runtime_process.ts";

const LOCKS = `
  import type { Context } from "millrace";
  export async function main(ctx: Context) {
    await using lock = await ctx.lock("invoice", { ttl: 60, wait: 5 });
    console.log("fence", lock.fence);
    return "done";
  }
`;

function answer(call: Frame, members: Frame): Frame {
  return { type: "answer", id: call["id"], call: call["call"], ...members };
}

Deno.test("takes and releases a lock", async () => {
  await using process = new RuntimeProcess(LOCKS);
  await process.send(job("job-1"));
  const acquire = (await process.framesUntil("call")).at(-1) ?? {};
  await process.send(answer(acquire, { value: { fence: 7 } }));
  const frames = await process.framesUntil("call");
  const release = frames.at(-1) ?? {};
  await process.send(answer(release, { value: true }));
  frames.push(...await process.framesUntilEnd("job-1"));

  assertEquals([acquire["method"], release["method"]], ["lock.acquire", "lock.release"]);
  assertEquals(acquire["arguments"], release["arguments"]);
  const { name, ttl_ms, wait_ms } = acquire["arguments"] as Frame;
  assertEquals([name, ttl_ms, wait_ms], ["invoice", 60_000, 5_000]);
  assertEquals(printed(frames), "fence 7\n");
  assertEquals(frames.at(-1)?.["result"], "done");
});

Deno.test("says that a lock was never free", async () => {
  await using process = new RuntimeProcess(LOCKS);
  await process.send(job("job-1"));
  await process.send(answer((await process.framesUntil("call")).at(-1) ?? {}, { value: null }));

  const error = (await process.framesUntilEnd("job-1")).at(-1);
  assertEquals(error?.["name"], "LockTimeout");
  assertEquals(
    error?.["message"],
    'The mutex "invoice" was held by others for all of the 5 seconds that this job waited.',
  );
});

Deno.test("throws what the host could not do", async () => {
  await using process = new RuntimeProcess(LOCKS);
  await process.send(job("job-1"));
  const call = (await process.framesUntil("call")).at(-1) ?? {};
  await process.send(answer(call, { error: { name: "LeaseLost", message: "Too late." } }));

  const error = (await process.framesUntilEnd("job-1")).at(-1);
  assertEquals([error?.["name"], error?.["message"]], ["CallFailed", "LeaseLost: Too late."]);
});

Deno.test("a cancel ends the wait for an answer, which then is nobody's", async () => {
  await using process = new RuntimeProcess(LOCKS);
  await process.send(job("job-1"));
  const call = (await process.framesUntil("call")).at(-1) ?? {};

  await process.send(cancel("job-1"));
  const error = (await process.framesUntilEnd("job-1")).at(-1);
  await process.send(answer(call, { value: { fence: 1 } }), job("job-2"));
  await process.send(answer((await process.framesUntil("call")).at(-1) ?? {}, { value: null }));

  assertEquals(error?.["name"], "Canceled");
  assertEquals((await process.framesUntilEnd("job-2")).at(-1)?.["name"], "LockTimeout");
});

Deno.test("waits for a lock no longer than the attempt has time", async () => {
  await using process = new RuntimeProcess(`
    import type { Context } from "millrace";
    export const main = (ctx: Context) => ctx.lock("a", { wait: Infinity });
  `);
  await process.send(job("job-1", {}, { deadline_ms: 5_000 }));
  const call = (await process.framesUntil("call")).at(-1) ?? {};

  const { wait_ms } = call["arguments"] as { readonly wait_ms: number };
  assertEquals([wait_ms > 0, wait_ms <= 5_000], [true, true]);
});

Deno.test("has no deadline without a timeout", async () => {
  await using process = new RuntimeProcess(`
    import type { Context } from "millrace";
    export async function main(ctx: Context) {
      await using _lock = await ctx.lock("a");
      return ctx.deadline === undefined;
    }
  `);
  await process.send(job("job-1", {}, { deadline_ms: 0 }));
  const call = (await process.framesUntil("call")).at(-1) ?? {};
  await process.send(answer(call, { value: { fence: 1 } }));
  await process.send(answer((await process.framesUntil("call")).at(-1) ?? {}, { value: true }));

  assertEquals((await process.framesUntilEnd("job-1")).at(-1)?.["result"], true);
  const { wait_ms } = call["arguments"] as { readonly wait_ms: number };
  assertEquals(wait_ms, 365 * 24 * 3_600_000);
});

Deno.test("limits how many calls wait at once", async () => {
  await using process = new RuntimeProcess(`
    import type { Context } from "millrace";
    export const main = (ctx: Context) => Promise.all(Array.from({ length: 101 }, () => ctx.data.get("k")));
  `);
  await process.send(job("job-1"));

  const frames = await process.framesUntilEnd("job-1");
  assertEquals(frames.filter((frame) => frame["type"] === "call").length, 100);
  assertEquals(frames.at(-1)?.["name"], "CallFailed");
});

Deno.test("code that a job has left behind asks for nothing", async () => {
  await using process = new RuntimeProcess(`
    import type { Context } from "millrace";
    let left: Context | undefined;
    export async function main(ctx: Context) {
      const before = left;
      left = ctx;
      return await before?.data.get("k").catch((error) => error.message);
    }
  `);
  await process.send(job("job-1"), job("job-2"));

  await process.framesUntilEnd("job-1");
  const result = (await process.framesUntilEnd("job-2")).at(-1)?.["result"];
  assertEquals(result, "The job has ended: await its calls before main returns.");
});

Deno.test("traces beside what it prints", async () => {
  await using process = new RuntimeProcess(`
    import type { Context } from "millrace";
    export function main(ctx: Context) {
      ctx.trace("begun");
      console.log("printed");
    }
  `);

  const frames = await process.run();

  assertEquals(printed(frames, "trace"), "begun\n");
  assertEquals(printed(frames), "printed\n");
});

Deno.test("works beside the folder that its group shares", async () => {
  await using process = new RuntimeProcess(`
    import type { Context } from "millrace";
    export function main(write: boolean, ctx: Context) {
      if (write) Deno.writeTextFileSync("./shared/word", "here");
      let word = null;
      try { word = Deno.readTextFileSync("./shared/word"); } catch { /* there is none */ }
      return [ctx.sharedFolder ?? null, word];
    }
  `);
  const shared = `${process.folder}/group/shared`;

  assertEquals(await process.result({ write: true }, { shared_folder: shared }), [shared, "here"]);
  assertEquals(await process.result({ write: false }, { shared_folder: shared }), [shared, "here"]);
  assertEquals(await process.result({ write: false }), [null, null]);
});

Deno.test("knows keys that all attempts share", async () => {
  await using process = new RuntimeProcess(`
    import type { Context } from "millrace";
    export function main(ctx: Context) { return [ctx.stepToken, ctx.idempotencyKey]; }
  `);

  const result = await process.result({}, { step: "count[3]", idempotency_key: "11d8c6a0" });

  assertEquals(result, ["run-1/count[3]", "11d8c6a0"]);
});

Deno.test("shares data with other steps", async () => {
  await using process = new RuntimeProcess(`
    import type { Context } from "millrace";
    export async function main(ctx: Context) {
      await ctx.data.set("k", { a: [1, null] });
      return [await ctx.data.get("k"), await ctx.data.get("none") === undefined];
    }
  `);
  await process.send(job("job-1"));
  const set = (await process.framesUntil("call")).at(-1) ?? {};
  await process.send(answer(set, { value: null }));
  await process.send(answer((await process.framesUntil("call")).at(-1) ?? {}, { value: { value: { a: [1, null] } } }));
  await process.send(answer((await process.framesUntil("call")).at(-1) ?? {}, { value: null }));

  assertEquals([set["method"], set["arguments"]], ["data.set", { key: "k", value: { a: [1, null] } }]);
  assertEquals((await process.framesUntilEnd("job-1")).at(-1)?.["result"], [{ a: [1, null] }, true]);
});
