import type { BlobReference } from "./blobs.ts";
import { CallFailed } from "./errors.ts";
import { assertEquals, assertIncludes, assertRejects } from "./testing/asserts.ts";
import { fakeJob } from "./testing/fake_job.ts";
import { answer, type Frame, job, RuntimeProcess } from "./testing/runtime_process.ts";

const REFERENCE: BlobReference = { $blob: "019a", bytes: 3, sha256: "ab".repeat(32), media_type: "text/plain" };

const SAVE = `
  import { current } from "millrace";

  async function* parts() {
    yield new Uint8Array([97]);
    yield new Uint8Array([98, 99]);
  }

  export async function main(kind: string) {
    const abc = new TextEncoder().encode("abc");
    const own = Deno.env.get("HOME") + "/own";
    await Deno.writeFile(own, abc);
    const sources = {
      bytes: abc, path: { path: own }, stream: new Response("abc").body, iterable: parts(), blob: new Blob([abc]), text: "abc",
    };
    return { table: await current().blobs.put(sources[kind], { mediaType: "text/plain" }) };
  }
`;

const OPEN = `
  import type { BlobReference, Context } from "millrace";

  export async function main(table: BlobReference, ctx: Context) {
    const stream = await ctx.blobs.open(table);
    return [table.bytes, await new Response(stream).text()];
  }
`;

function leftBehind(folder: string): string[] {
  return Array.from(Deno.readDirSync(folder), ({ name }) => name).filter((name) => name.startsWith("blob-"));
}

async function callOf(process: RuntimeProcess, input: unknown): Promise<{ call: Frame; args: Record<string, string> }> {
  await process.send(job("job-1", input));
  const call = (await process.framesUntil("call", "error")).at(-1) ?? {};
  return { call, args: call["arguments"] as Record<string, string> };
}

for (const kind of ["bytes", "path", "stream", "iterable", "blob"]) {
  Deno.test(`saves a blob of ${kind} and returns its reference`, async () => {
    await using process = new RuntimeProcess(SAVE);
    const { call, args } = await callOf(process, { kind });

    const saved = await Deno.readTextFile(`${process.folder}/${args["file"]}`);
    await process.send(answer(call, { value: REFERENCE }));
    const end = (await process.framesUntilEnd("job-1")).at(-1);

    assertEquals([call["method"], args["media_type"], saved], ["blob.save", "text/plain", "abc"]);
    assertEquals(end?.["result"], { table: REFERENCE });
    assertEquals(leftBehind(process.folder), []);
  });
}

Deno.test("saves no text, and leaves no file if the host cannot save it", async () => {
  await using process = new RuntimeProcess(SAVE);

  const error = await process.error({ kind: "text" });
  const { call } = await callOf(process, { kind: "path" });
  await process.send(answer(call, { error: { name: "QuotaExceeded", message: "No room." } }));
  const failed = (await process.framesUntilEnd("job-1")).at(-1);

  assertEquals(error["name"], "TypeError");
  assertIncludes(String(error["message"]), "this is of type string.");
  assertEquals([failed?.["name"], failed?.["message"]], ["CallFailed", "QuotaExceeded: No room."]);
  assertEquals(leftBehind(process.folder), []);
});

Deno.test("opens a blob of its input as a stream", async () => {
  await using process = new RuntimeProcess(OPEN);
  const { call, args } = await callOf(process, { table: REFERENCE });

  await Deno.writeTextFile(`${process.folder}/${args["file"]}`, "abc");
  await process.send(answer(call, { value: REFERENCE }));
  const end = (await process.framesUntilEnd("job-1")).at(-1);

  assertEquals([call["method"], args["id"]], ["blob.load", "019a"]);
  assertEquals(end?.["result"], [3, "abc"]);
  assertEquals(leftBehind(process.folder), []);
  const wrong = await process.error({ table: "019a" });
  assertIncludes(String(wrong["message"]), "This is no reference to a blob");
});

Deno.test("keeps the blobs of a test in memory", async () => {
  const { blobs } = fakeJob().context;

  const saved = await blobs.put(new TextEncoder().encode("hello"), { mediaType: "text/plain" });

  assertEquals([saved.bytes, saved.sha256.slice(0, 8), saved.media_type], [5, "2cf24dba", "text/plain"]);
  assertEquals(await new Response(await blobs.open(saved)).text(), "hello");
  await assertRejects(async () => await blobs.open({ ...saved, $blob: "other" }), CallFailed);
});

Deno.test("runs the S3 helpers of windmill-client", async () => {
  const files = fakeJob();

  const result = await files.run(new URL("testing/s3_script.ts", import.meta.url));

  assertEquals(result, ["hello", "hello", "hello", "folder/a.txt", "no step of this run has written the file b.txt"]);
});
