/** References to blobs, made of what schedulers say. */

import type { BlobReference } from "../../src/blobs.ts";
import type { Blob as BlobMessage } from "../proto/millrace/blob/v1/blob_pb.ts";

/** Returns the reference to a blob. */
export function blobReference(blob: BlobMessage | undefined): BlobReference {
  if (blob === undefined) throw new Error("The scheduler has answered without a blob.");
  return { $blob: blob.id, bytes: Number(blob.bytes), sha256: blob.sha256, media_type: blob.mediaType };
}
