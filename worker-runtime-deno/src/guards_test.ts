import { assertEquals, assertIncludes } from "./testing/asserts.ts";
import { printed, RuntimeProcess } from "./testing/runtime_process.ts";

Deno.test("an exit fails its job and not the process", async () => {
  await using process = new RuntimeProcess(`
    export async function main(how: string) {
      if (how === "deno") Deno.exit(3);
      if (how === "node") process.exit(4);
      if (how === "swallowed") { try { Deno.exit(5); } catch { await new Promise(() => {}); } }
      if (how === "timer") { setTimeout(() => Deno.exit(6), 1); await new Promise(() => {}); }
      return "fine";
    }
  `);

  for (const [how, code] of [["deno", 3], ["node", 4], ["swallowed", 5], ["timer", 6]] as const) {
    // deno-lint-ignore no-await-in-loop -- one job at a time
    const { name, message, retryable } = await process.error({ how });
    assertEquals([name, message, retryable], ["SystemExit", `The script called Deno.exit(${code}).`, true]);
  }
  assertEquals(await process.result({ how: "not" }), "fine");
});

Deno.test("an error that nobody catches fails the job whose code threw it", async () => {
  await using process = new RuntimeProcess(`
    export async function main(how: string) {
      if (how === "rejection") { Promise.reject(new RangeError("lost")); await new Promise(() => {}); }
      if (how === "timer") { setTimeout(() => { throw new RangeError("lost"); }); await new Promise(() => {}); }
      return "fine";
    }
  `);

  for (const how of ["rejection", "timer"]) {
    // deno-lint-ignore no-await-in-loop -- one job at a time
    const { name, message } = await process.error({ how });
    assertEquals([name, message], ["RangeError", "lost"]);
  }
  assertEquals(await process.result({ how: "not" }), "fine");
});

Deno.test("what an earlier job left behind fails no other job", async () => {
  await using process = new RuntimeProcess(`
    const { promise, resolve } = Promise.withResolvers<void>();
    export async function main(first: boolean) {
      if (first) {
        setInterval(() => { throw new Error("the timer goes on"); }, 1);
        promise.then(() => { throw new RangeError("late"); });
        return "first";
      }
      resolve();
      await new Promise((end) => setTimeout(end, 20));
      return "second";
    }
  `);

  assertEquals(await process.result({ first: true }), "first");
  const frames = await process.run({ first: false });

  assertEquals(frames.at(-1)?.["result"], "second");
  const told = frames.find((frame) => frame["stream"] === "system");
  assertEquals(told?.["id"], "");
  assertIncludes(String(told?.["text"]), "Code that job job-1 had left behind failed: RangeError: late");
  assertEquals(printed(frames, "system").includes("timer"), false);
});

Deno.test("gives user code an empty stdin", async () => {
  await using process = new RuntimeProcess(`
    export async function main() {
      return [await Deno.stdin.read(new Uint8Array(9)), await new Response(Deno.stdin.readable).text()];
    }
  `);

  assertEquals(await process.result(), [null, ""]);
  assertEquals(await process.result(), [null, ""]);
});

Deno.test("grants the private folder and the environment, and neither other files nor programs", async () => {
  await using process = new RuntimeProcess(`
    const attempts: Record<string, () => unknown> = {
      home: () => Deno.writeTextFileSync(Deno.env.get("HOME") + "/note", "text"),
      passwd: () => Deno.readTextFileSync("/etc/passwd"),
      run: () => new Deno.Command("true").outputSync(),
      frames: () => Deno.writeTextFileSync("/dev/fd/3", "forged"),
    };
    export function main(what: string) {
      try { attempts[what]!(); return "allowed"; } catch (error) { return (error as Error).name; }
    }
  `);

  const outcomes: unknown[] = [];
  for (const what of ["home", "passwd", "run", "frames"]) {
    // deno-lint-ignore no-await-in-loop -- one job at a time
    outcomes.push(await process.result({ what }));
  }
  assertEquals(outcomes, ["allowed", "NotCapable", "NotCapable", "NotCapable"]);
});

Deno.test("stops processes that a job left behind", async () => {
  await using process = new RuntimeProcess(
    `export function main() { return new Deno.Command("sleep", { args: ["3600"] }).spawn().pid; }`,
    ["--allow-run"],
  );

  const frames = await process.run();

  const pid = frames.at(-1)?.["result"];
  assertEquals(printed(frames, "system"), `Stopped 1 process that the job had left behind: sleep (pid ${pid}).\n`);
});

Deno.test("a timer that a job starts after its end never fires", async () => {
  await using process = new RuntimeProcess(`
    const { promise, resolve } = Promise.withResolvers<void>();
    let fired = 0;
    export async function main(first: boolean) {
      if (first) { promise.then(() => { setInterval(() => fired++, 0); setTimeout(() => fired++, 0); }); return; }
      resolve();
      await promise;
      await new Promise((end) => setTimeout(end, 5));
      return fired;
    }
  `);
  await process.run({ first: true });

  assertEquals(await process.result({ first: false }), 0);
});

Deno.test("lets the host read what programs have printed before their job ends", async () => {
  await using process = new RuntimeProcess(
    `export function main(starts: boolean) {
      if (starts) new Deno.Command("echo", { args: ["hi"], stdout: "inherit", stderr: "inherit" }).outputSync();
    }`,
    ["--allow-run"],
  );

  process.descendants = 1;
  const frames = await process.run({ starts: true });
  await process.run({ starts: false });

  assertEquals(process.programCalls.map(({ method }) => method), ["programs.stop", "output.flush"]);
  assertEquals(printed(frames, "system"), "Stopped 1 process that programs of the job had left behind.\n");
  await process.closeStdin();
  const { mark } = process.programCalls[1]?.["arguments"] as { mark: string };
  assertEquals(await process.stderrText(), `hi\n\0millrace:${mark}\n`);
});
