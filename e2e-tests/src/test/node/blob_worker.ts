// A handler that reads a blob and saves another one.

import { type BlobReference, Worker } from "millrace/worker";

const worker = new Worker({ slots: 2 });

worker.job("blobs.node", async ({ blob }: { readonly blob: BlobReference }, ctx) => {
  const bytes = await ctx.blobs.open(blob);
  async function* andMore(): AsyncGenerator<Uint8Array> {
    const reader = bytes.getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value;
    yield new TextEncoder().encode(" node");
  }
  return await ctx.blobs.put(andMore(), { mediaType: "text/x-node" });
});

await worker.run();
