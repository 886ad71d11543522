// The handlers of the conformance suite in TypeScript.

import { closeSync, openSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { current, NonRetryableError, Worker } from "millrace/worker";

interface Text {
  readonly text: string;
}

interface Message {
  readonly message: string;
}

class Rejected extends NonRetryableError {}

const worker = new Worker({ target: process.argv[2] ?? "", name: "under-test", slots: 4 });

worker.job("echo", ({ text }: Text) => text);

worker.job("describe", async () => {
  await setTimeout(1);
  const { attempt, runId, step, workspace, idempotencyKey } = current();
  return { attempt, run: runId, step, workspace, key: idempotencyKey };
});

worker.job("fail", ({ message }: Message) => {
  throw new Error(message);
});

worker.job("reject", ({ message }: Message) => {
  throw new Rejected(message);
});

worker.job("log", ({ lines }: { readonly lines: number }, ctx) => {
  for (let number = 1; number <= lines; number++) ctx.log(`line ${number}`);
  return lines;
});

worker.job("large", ({ size }: { readonly size: number }) => "x".repeat(size));

worker.job("gated", async (_, ctx) => {
  ctx.log("begun");
  return await ctx.data.get("gate");
});

worker.job("share", async ({ text }: Text, ctx) => {
  await ctx.data.set("shared", text);
  return await ctx.data.get("shared");
});

worker.job("spill", ({ text }: Text, ctx) => {
  ctx.log(`the secret is ${text} in ${Buffer.from(text).toString("base64")}`);
  return { length: text.length, text: `a${text} b` };
});

worker.job("note", (_, { sharedFolder, jobId }) => {
  if (sharedFolder === undefined) return [];
  closeSync(openSync(join(sharedFolder, jobId), "w"));
  return readdirSync(sharedFolder).sort();
});

worker.job("hang", async (_, ctx) => {
  ctx.log("hanging");
  try {
    await setTimeout(3_600_000, undefined, { signal: ctx.signal });
  } finally {
    await ctx.data.set("stopped", ctx.jobId);
  }
});

await worker.run();
