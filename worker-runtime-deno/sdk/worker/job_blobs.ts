/** Blobs of handlers: bytes between a file in the temporary folder and the scheduler, part by part. */

import type { MessageInitShape } from "@bufbuild/protobuf";
import { type Client, Code } from "@connectrpc/connect";
import type { BlobReference } from "../../src/blobs.ts";
import { CallFailed } from "../../src/errors.ts";
import { readStatus } from "../access/status.ts";
import { blobReference } from "../blob/reference.ts";
import type { JobBlobService, SaveJobBlobRequestSchema } from "../proto/millrace/worker/v1/job_blob_service_pb.ts";
import { sleep } from "../timing/sleep.ts";
import type { LeasedJob } from "./leased_job.ts";
import { nodeDisk } from "./node_disk.ts";

const PART_BYTES = 256 << 10;

/** Longest time from the first failure of a transfer until it is given up. */
const OUTAGE_MILLIS_MAX = 60_000;

const RETRY_MILLIS = 500;
const QUOTA_EXCEEDED = "QUOTA_EXCEEDED";

/** Codes after which a transfer begins again. */
const AWAY: readonly Code[] = [
  Code.Unavailable,
  Code.DeadlineExceeded,
  Code.Canceled,
  Code.Unauthenticated,
  Code.ResourceExhausted,
];

const NAMES: ReadonlyMap<Code, string> = new Map([
  [Code.FailedPrecondition, "LeaseLost"],
  [Code.InvalidArgument, "InvalidCall"],
  [Code.NotFound, "InvalidCall"],
]);

/** The present connection, and what calls on it show. */
export interface BlobConnection {
  readonly blobs: Client<typeof JobBlobService>;
  readonly headers: Record<string, string>;
}

/** Saves and loads the blobs of one job. A transfer begins again while the scheduler is away and the lease is held. */
export class JobBlobs {
  readonly #job: LeasedJob;
  readonly #signal: AbortSignal;
  readonly #connection: () => BlobConnection;

  constructor(job: LeasedJob, signal: AbortSignal, connection: () => BlobConnection) {
    this.#job = job;
    this.#signal = signal;
    this.#connection = connection;
  }

  /**
   * Saves a file of the temporary folder.
   *
   * @throws {CallFailed} The scheduler refuses, or is away for too long.
   */
  async save(name: string, mediaType: string): Promise<BlobReference> {
    return await this.#repeat(async ({ blobs, headers }) => {
      const answer = await blobs.saveJobBlob(this.#parts(name, mediaType), { headers, signal: this.#signal });
      return blobReference(answer.blob);
    });
  }

  /** Loads a blob into a new file of the temporary folder; throws as `save` does. */
  async load(name: string, blobId: string): Promise<BlobReference> {
    return await this.#repeat(async ({ blobs, headers }) => {
      await nodeDisk.remove(pathOf(name));
      const file = await nodeDisk.open(pathOf(name), "new");
      let reference: BlobReference | undefined;
      let length = 0;
      try {
        const request = { ...this.#lease(), blobId };
        for await (const { part } of blobs.loadJobBlob(request, { headers, signal: this.#signal })) {
          if (part?.blob !== undefined) reference = blobReference(part.blob);
          for (let rest = part?.data ?? new Uint8Array(0); rest.length > 0;) {
            const written = await file.write(rest);
            length += written;
            rest = rest.subarray(written);
          }
        }
      } finally {
        await file.close();
      }
      if (reference?.bytes !== length) {
        throw new CallFailed(`SchedulerUnavailable: ${length} of ${reference?.bytes ?? "unknown"} bytes have arrived.`);
      }
      return reference;
    });
  }

  async *#parts(name: string, mediaType: string): AsyncIterable<MessageInitShape<typeof SaveJobBlobRequestSchema>> {
    yield { ...this.#lease(), mediaType: this.#job.masked(mediaType) };
    const file = await nodeDisk.open(pathOf(name), "read");
    try {
      for (;;) {
        const data = new Uint8Array(PART_BYTES);
        const length = await file.read(data) ?? 0;
        if (length === 0) return;
        yield { data: data.subarray(0, length) };
      }
    } finally {
      await file.close();
    }
  }

  #lease(): { readonly jobId: string; readonly leaseToken: bigint } {
    const { jobId, leaseToken } = this.#job.lease;
    return { jobId, leaseToken };
  }

  async #repeat<T>(transfer: (connection: BlobConnection) => Promise<T>): Promise<T> {
    const end = performance.now() + OUTAGE_MILLIS_MAX;
    for (;;) {
      try {
        const answer = await transfer(this.#connection());
        this.#requireLease();
        return answer;
      } catch (failure) {
        if (failure instanceof CallFailed) throw failure;
        this.#requireLease();
        const { code, message, reason } = readStatus(failure);
        const isFull = reason === QUOTA_EXCEEDED;
        if (isFull || !AWAY.includes(code) || performance.now() > end) {
          throw new CallFailed(
            `${isFull ? "QuotaExceeded" : NAMES.get(code) ?? "SchedulerUnavailable"}: ${message}`,
          );
        }
      }
      await sleep(RETRY_MILLIS, this.#signal);
    }
  }

  #requireLease(): void {
    if (this.#job.isHeld) return;
    throw new CallFailed("LeaseLost: The job has ended or lost its lease, so it cannot save or load blobs.");
  }
}

function pathOf(name: string): string {
  return `${nodeDisk.temporaryFolder()}/${name}`;
}
