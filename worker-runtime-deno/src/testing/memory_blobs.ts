import { ANY_BYTES, type BlobReference, type Blobs, idOf, isFile, partsOf } from "../blobs.ts";
import { CallFailed } from "../errors.ts";

const ID_DIGITS = 12;

/** Blobs of a test, in memory. */
export class MemoryBlobs implements Blobs {
  /** Bytes of each blob, by its id. */
  readonly saved = new Map<string, Uint8Array<ArrayBuffer>>();

  readonly put: Blobs["put"] = async (source, { mediaType = ANY_BYTES } = {}) => {
    const content = isFile(source) ? await Deno.readFile(source.path) : await joined(partsOf(source));
    const id = `00000000-0000-7000-8000-${String(this.saved.size + 1).padStart(ID_DIGITS, "0")}`;
    this.saved.set(id, content);
    return { $blob: id, bytes: content.length, sha256: await sha256(content), media_type: mediaType };
  };

  readonly open: Blobs["open"] = (blob: BlobReference) => {
    const content = this.saved.get(idOf(blob));
    if (content === undefined) {
      throw new CallFailed(
        `The test has no blob ${blob.$blob}: make one with job.context.blobs.put(…), and pass what that returns.`,
      );
    }
    return Promise.resolve(new Blob([content]).stream());
  };
}

async function joined(parts: AsyncIterable<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const all: Uint8Array<ArrayBuffer>[] = [];
  for await (const part of parts) all.push(new Uint8Array(part));
  return await new Blob(all).bytes();
}

async function sha256(content: Uint8Array<ArrayBuffer>): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", content);
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
