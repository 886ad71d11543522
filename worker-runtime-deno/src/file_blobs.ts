/** Blobs that travel through files in the temporary folder of the process, which its worker shares. */

import {
  ANY_BYTES,
  type BlobFile,
  type BlobReference,
  type Blobs,
  type BlobSource,
  idOf,
  isFile,
  partsOf,
} from "./blobs.ts";
import type { Disk, HostFile } from "./host.ts";
import type { Call } from "./lock.ts";

const READ_BYTES = 256 * 1024;
const NAME_BYTES = 16;

/**
 * Returns the blobs that the job may use.
 *
 * @param call Calls the worker.
 * @param disk Where both find the files.
 */
export function fileBlobs(call: Call, disk: Disk): Blobs {
  return {
    put: async (source, { mediaType = ANY_BYTES } = {}) => {
      const { name, path } = newFile(disk);
      try {
        await fill(disk, path, source);
        return await call("blob.save", { file: name, media_type: mediaType }) as BlobReference;
      } finally {
        await disk.remove(path);
      }
    },
    open: async (blob) => {
      const id = idOf(blob);
      const { name, path } = newFile(disk);
      try {
        await call("blob.load", { id, file: name });
        return streamOf(await disk.open(path, "read"));
      } finally {
        await disk.remove(path);
      }
    },
  };
}

function newFile(disk: Disk): { readonly name: string; readonly path: string } {
  const digits = Array.from(
    crypto.getRandomValues(new Uint8Array(NAME_BYTES)),
    (byte) => byte.toString(16).padStart(2, "0"),
  );
  const name = `blob-${digits.join("")}`;
  return { name, path: `${disk.temporaryFolder()}/${name}` };
}

async function fill(disk: Disk, path: string, source: BlobSource): Promise<void> {
  const parts = isFile(source) ? await linkOrParts(disk, path, source) : partsOf(source);
  if (parts === undefined) return;
  const file = await disk.open(path, "new");
  try {
    for await (const part of parts) await writeAll(file, part);
  } finally {
    await file.close();
  }
}

/** Makes the file a link to the source if both are in the same file system; else returns the parts of the source. */
async function linkOrParts(
  disk: Disk,
  path: string,
  source: BlobFile,
): Promise<AsyncIterable<Uint8Array> | undefined> {
  try {
    await disk.link(source.path, path);
    return undefined;
  } catch {
    return streamOf(await disk.open(source.path, "read"));
  }
}

async function writeAll(file: HostFile, part: Uint8Array): Promise<void> {
  let written = 0;
  while (written < part.length) {
    // deno-lint-ignore no-await-in-loop -- each write continues the one before
    written += await file.write(part.subarray(written));
  }
}

/** Returns the bytes of an open file, which is closed at the end of the stream and when it is canceled. */
function streamOf(file: HostFile): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const part = new Uint8Array(READ_BYTES);
      const length = await file.read(part);
      if (length === null || length === 0) {
        await file.close();
        controller.close();
      } else {
        controller.enqueue(part.subarray(0, length));
      }
    },
    cancel: () => file.close(),
  }, { highWaterMark: 0 });
}
