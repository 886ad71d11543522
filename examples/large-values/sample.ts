/** Saves every thousandth measurement as a blob of its own, while the others stream by. */

import type { BlobReference, Context } from "millrace";

const STEP = 1000;

export async function main(measured: BlobReference, ctx: Context): Promise<BlobReference> {
  const all = await ctx.blobs.open(measured);
  return await ctx.blobs.put(sample(all), { mediaType: measured.media_type });
}

async function* sample(all: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  let next = 0;
  for await (const part of all) {
    const kept: number[] = [];
    for (; next < part.length; next += STEP) kept.push(part[next]!);
    next -= part.length;
    yield new Uint8Array(kept);
  }
}
