/** A script as people write it for Windmill. */

import * as wmill from "../windmill_client.ts";

export async function main(): Promise<unknown> {
  const written = await wmill.writeS3File({ s3: "folder/a.txt" }, "hello", undefined, "text/plain");
  const decoder = new TextDecoder();
  const byKey = decoder.decode(await wmill.loadS3File("s3:///folder/a.txt"));
  const byObject = decoder.decode(await wmill.loadS3File({ s3: "elsewhere", $blob: written.$blob } as { s3: string }));
  const blob = await wmill.loadS3FileStream(written);
  const missing = await wmill.loadS3File({ s3: "b.txt" }).catch((error: Error) => error.message);
  return [byKey, byObject, await blob?.text(), written.s3, missing];
}
