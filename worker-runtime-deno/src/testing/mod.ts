/**
 * A running job for tests of scripts.
 *
 * @example
 * ```ts
 * import { fakeJob } from "millrace/testing";
 *
 * Deno.test("adds to what other steps have sold", async () => {
 *   const job = fakeJob();
 *   job.data.set("lamp", 40);
 *   const result = await job.run("sell.ts", { item: "lamp", quantity: 2 });
 * });
 * ```
 *
 * @module
 */

export { FakeJob, fakeJob, type FakeJobOptions } from "./fake_job.ts";
