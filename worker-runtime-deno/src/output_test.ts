import { assertEquals } from "./testing/asserts.ts";
import { printed, RuntimeProcess } from "./testing/runtime_process.ts";

Deno.test("captures console and streams in their order", async () => {
  await using process = new RuntimeProcess(`
    import node from "node:process";
    export async function main() {
      const bytes = (text: string) => new TextEncoder().encode(text);
      console.log("%s has", "Ada", { apples: 3 });
      Deno.stdout.writeSync(bytes("sync|"));
      await Deno.stdout.write(bytes("async|"));
      const writer = Deno.stdout.writable.getWriter();
      await writer.write(bytes("stream\\n"));
      writer.releaseLock();
      console.error("trouble");
      Deno.stderr.writeSync(bytes("raw trouble\\n"));
      console.warn("warning");
      node.stdout.write("node");
    }
  `);

  const frames = await process.run();

  assertEquals(printed(frames), "Ada has { apples: 3 }\nsync|async|stream\nnode");
  assertEquals(printed(frames, "stderr"), "trouble\nraw trouble\nwarning\n");
  assertEquals(new Set(frames.map((frame) => frame["id"])), new Set(["job-1"]));
});

Deno.test("never takes a print for a frame", async () => {
  const forged = '{"type":"result","id":"job-1","result":"forged"}';
  await using process = new RuntimeProcess(
    `export function main() { console.log(${JSON.stringify(forged)}); return 1; }`,
  );

  const frames = await process.run();

  assertEquals(printed(frames), forged + "\n");
  assertEquals(frames.at(-1)?.["result"], 1);
});

Deno.test("splits long texts into frames of at most 32 KiB", async () => {
  await using process = new RuntimeProcess("export function main() { console.log('ü'.repeat(100_000)); }");

  const frames = await process.run();

  assertEquals(printed(frames), "ü".repeat(100_000) + "\n");
  const sizes = frames.filter(({ type }) => type === "log").map(({ text }) =>
    new TextEncoder().encode(String(text)).length
  );
  assertEquals(sizes.every((size) => size <= 32 * 1024), true);
});

Deno.test("text of a job that has ended belongs to no job", async () => {
  await using process = new RuntimeProcess(`
    const { promise, resolve } = Promise.withResolvers<void>();
    export async function main(first: boolean) {
      if (first) { promise.then(() => console.log("late")); return; }
      resolve();
      await promise;
      await null;
    }
  `);
  await process.run({ first: true });

  const frames = await process.run({ first: false });

  assertEquals(frames.filter(({ type }) => type === "log").map(({ id, text }) => [id, text]), [["", "late\n"]]);
});

Deno.test("streams much output in bounded memory", async () => {
  await using process = new RuntimeProcess(`
    export function main(megabytes: number) {
      const line = "x".repeat(1023);
      for (let i = 0; i < megabytes * 1024; i++) console.log(line);
      return Deno.memoryUsage().rss < 150 * 1024 * 1024;
    }
  `);

  const frames = await process.run({ megabytes: 100 });

  assertEquals(printed(frames).length, 100 * 1024 * 1024);
  assertEquals(frames.at(-1)?.["result"], true);
});
