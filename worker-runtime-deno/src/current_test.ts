import { assertEquals } from "./testing/asserts.ts";
import { job, printed, RuntimeProcess } from "./testing/runtime_process.ts";

Deno.test("knows the job after an await, in a timer and in functions that main calls", async () => {
  await using process = new RuntimeProcess(`
    import { type Context, current } from "millrace";
    const inTimer = () => new Promise((resolve) => setTimeout(() => resolve(current().jobId), 1));
    export async function main(ctx: Context) {
      const isSame = current() === ctx;
      return [isSame, await inTimer(), current().jobId];
    }
  `);
  await process.send(job("job-1"));
  const frames = await process.framesUntilEnd("job-1");

  assertEquals(frames.at(-1)?.["result"], [true, "job-1", "job-1"]);
});

Deno.test("says that no job runs while a script is loaded", async () => {
  await using process = new RuntimeProcess(`
    import { current } from "millrace";
    let said = "";
    try { current(); } catch (error) { said = error.message; }
    export const main = () => said.slice(0, 24);
  `);
  await process.send(job("job-1"));
  const frames = await process.framesUntilEnd("job-1");

  assertEquals(frames.at(-1)?.["result"], "No job is running here: ");
});

Deno.test("logs lines with levels and fields", async () => {
  await using process = new RuntimeProcess(`
    import { current } from "millrace";
    export function main() {
      const logger = current().logger.bind({ order: "A-17" });
      console.log("before");
      logger.info("charged\\ntwice", { amount: 3 });
      logger.debug("seen", { order: null });
      logger.warning("odd", { value: 3n });
      logger.error("lost");
    }
  `);
  await process.send(job("job-1"));
  const frames = await process.framesUntilEnd("job-1");

  assertEquals(
    printed(frames),
    'before\nINFO charged\\ntwice order="A-17" amount=3\nDEBUG seen order=null\n',
  );
  assertEquals(printed(frames, "stderr"), 'WARNING odd order="A-17" value="3"\nERROR lost order="A-17"\n');
});
