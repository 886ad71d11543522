/** Blobs outside of jobs: their bytes as streams of messages, of which the client holds a few. */

import { open } from "node:fs/promises";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { type Client as Stub, createClient } from "@connectrpc/connect";
import {
  ANY_BYTES,
  type BlobReference,
  type BlobSource,
  idOf,
  isFile,
  partsOf,
  type PutOptions,
} from "../../src/blobs.ts";
import { blobReference } from "../blob/reference.ts";
import { BlobService, type UploadBlobRequestSchema } from "../proto/millrace/blob/v1/blob_service_pb.ts";
import type { Calls } from "./calls.ts";
import { errorOf } from "./errors.ts";

const PART_BYTES = 256 << 10;

type Part = MessageInitShape<typeof UploadBlobRequestSchema>;

/** Uploads and downloads of a workspace. */
export class BlobStreams {
  readonly #workspace: string;
  readonly #calls: Calls;
  readonly #stub: Stub<typeof BlobService>;

  constructor(workspace: string, calls: Calls) {
    this.#workspace = workspace;
    this.#calls = calls;
    this.#stub = createClient(BlobService, calls.connection.transport);
  }

  /** Uploads a blob; again from its begin if the connection breaks and the source can be read twice. */
  async put(source: BlobSource, { mediaType = ANY_BYTES }: PutOptions): Promise<BlobReference> {
    const canRepeat = isFile(source) || source instanceof Uint8Array || source instanceof Blob;
    const parts = canRepeat ? undefined : partsOf(source);
    const attempts = this.#calls.attempts();
    for (;;) {
      const headers = this.#calls.headers();
      try {
        const answer = await this.#stub.uploadBlob(this.#requests(parts ?? bytesOf(source), mediaType), { headers });
        return blobReference(answer.blob);
      } catch (failure) {
        const error = errorOf(failure, "UploadBlob", this.#calls.target);
        if (!canRepeat) throw error;
        await this.#calls.pause(error, headers, attempts);
      }
    }
  }

  /** Returns the bytes of a blob as they come; a broken stream continues where it was. */
  open(blob: BlobReference | string): ReadableStream<Uint8Array> {
    const parts = this.#parts(typeof blob === "string" ? blob : idOf(blob));
    return new ReadableStream<Uint8Array>({
      pull: async (controller) => {
        const { done, value } = await parts.next();
        if (done === true) controller.close();
        else controller.enqueue(value);
      },
      cancel: async () => void await parts.return(undefined),
    }, { highWaterMark: 0 });
  }

  async *#requests(parts: AsyncIterable<Uint8Array>, mediaType: string): AsyncIterable<Part> {
    const workspace = this.#workspace;
    yield { workspace, mediaType };
    for await (const part of parts) {
      for (let from = 0; from < part.length; from += PART_BYTES) {
        yield { workspace, data: part.subarray(from, from + PART_BYTES) };
      }
    }
  }

  async *#parts(blobId: string): AsyncGenerator<Uint8Array, undefined> {
    let offset = 0;
    const attempts = this.#calls.attempts();
    for (;;) {
      const headers = this.#calls.headers();
      try {
        const request = { workspace: this.#workspace, blobId, offset: BigInt(offset) };
        for await (const { part } of this.#stub.downloadBlob(request, { headers })) {
          attempts.progressed();
          const data = part?.data ?? new Uint8Array(0);
          offset += data.length;
          if (data.length > 0) yield data;
        }
        return undefined;
      } catch (failure) {
        await this.#calls.pause(errorOf(failure, "DownloadBlob", this.#calls.target), headers, attempts);
      }
    }
  }
}

function bytesOf(source: BlobSource): AsyncIterable<Uint8Array> {
  return isFile(source) ? fileParts(source.path) : partsOf(source);
}

async function* fileParts(path: string): AsyncIterable<Uint8Array> {
  const file = await open(path, "r");
  try {
    for (;;) {
      const data = new Uint8Array(PART_BYTES);
      const { bytesRead } = await file.read(data);
      if (bytesRead === 0) return;
      yield data.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}
