/** Calls of handlers while they run: data of the run, mutexes, secrets. Each carries the lease of the job. */

import { durationFromMs, durationMs } from "@bufbuild/protobuf/wkt";
import { type CallOptions, type Client, Code } from "@connectrpc/connect";
import { CallFailed } from "../../src/errors.ts";
import { encodeValue } from "../../src/results.ts";
import { readStatus } from "../access/status.ts";
import type { JobApiService, ResolveSecretsResponse } from "../proto/millrace/worker/v1/job_api_service_pb.ts";
import { type BlobConnection, JobBlobs } from "./job_blobs.ts";
import type { LeasedJob } from "./leased_job.ts";
import type { LeaseId } from "./outbox.ts";
import { sleep } from "../timing/sleep.ts";

const CALL_MILLIS_MAX = 10_000;

/** Longest time that the scheduler may be unavailable before a call fails. */
const OUTAGE_MILLIS_MAX = 60_000;

const RESOLVE_MILLIS_MAX = 30_000;
const RETRY_MILLIS = 200;
const LOCK_MILLIS_MIN = 20;
const LOCK_MILLIS_MAX = 1_000;

/** Largest value of run data; the scheduler accepts no larger one. */
const VALUE_BYTES_MAX = 256 << 10;

/** Codes after which a call is repeated; a connection may have been replaced, and so may a token that was refused. */
const AWAY: readonly Code[] = [Code.Unavailable, Code.DeadlineExceeded, Code.Canceled, Code.Unauthenticated];

const NAMES: ReadonlyMap<Code, string> = new Map([
  [Code.FailedPrecondition, "LeaseLost"],
  [Code.InvalidArgument, "InvalidCall"],
]);

/** The present connection, and what calls on it show. */
export interface JobApiConnection extends BlobConnection {
  readonly client: Client<typeof JobApiService>;
}

type Send<T> = (client: Client<typeof JobApiService>, options: CallOptions) => Promise<T>;

/** Sends calls of one job and waits for their answers. Repeats them while the scheduler is away and the lease is held. */
export class JobApi {
  readonly #job: LeasedJob;
  readonly #signal: AbortSignal;
  readonly #connection: () => JobApiConnection;
  readonly #blobs: JobBlobs;

  /**
   * @param job The job.
   * @param signal Ends waiting when the job is stopped.
   * @param connection Returns the present connection.
   */
  constructor(job: LeasedJob, signal: AbortSignal, connection: () => JobApiConnection) {
    this.#job = job;
    this.#signal = signal;
    this.#connection = connection;
    this.#blobs = new JobBlobs(job, signal, connection);
  }

  /**
   * Performs a call of the context: `data.set`, `data.get`, `lock.acquire`, `lock.release`, `blob.save` or
   * `blob.load`.
   *
   * @throws {CallFailed} The job has lost its lease, the call is invalid, or the scheduler is away for too long.
   */
  readonly call = async (method: string, args: Record<string, unknown>): Promise<unknown> => {
    switch (method) {
      case "data.set":
        return await this.#setData(String(args["key"]), args["value"]);
      case "data.get":
        return await this.#getData(String(args["key"]));
      case "lock.acquire":
        return await this.#acquire(args);
      case "lock.release":
        return await this.#release(args);
      case "blob.save":
        return await this.#blobs.save(String(args["file"]), String(args["media_type"]));
      case "blob.load":
        return await this.#blobs.load(String(args["file"]), String(args["id"]));
      default:
        throw new CallFailed(`This worker has no call named "${method}".`);
    }
  };

  /**
   * Returns the values that the input names by reference.
   *
   * @throws {ConnectError} The scheduler refuses, or is away for too long.
   */
  async resolveSecrets(): Promise<ResolveSecretsResponse> {
    const longest = Math.min(this.#job.timeoutMillis || RESOLVE_MILLIS_MAX, RESOLVE_MILLIS_MAX);
    return await this.#send((client, options) => client.resolveSecrets(this.#lease(), options), longest);
  }

  #lease(): LeaseId {
    const { jobId, leaseToken } = this.#job.lease;
    return { jobId, leaseToken };
  }

  async #setData(key: string, value: unknown): Promise<void> {
    const json = encodeValue(value, "value");
    const encoded = new TextEncoder().encode(this.#job.masks?.json(json) ?? json);
    if (encoded.length > VALUE_BYTES_MAX) {
      throw new CallFailed(
        `InvalidCall: The value of the key "${key}" has ${encoded.length} bytes (expected: at most ${VALUE_BYTES_MAX}).` +
          " Store it elsewhere, and share its address.",
      );
    }
    const request = { ...this.#lease(), key: this.#job.masked(key), value: encoded };
    await this.#ask((client, options) => client.setData(request, options));
  }

  async #getData(key: string): Promise<unknown> {
    const request = { ...this.#lease(), key: this.#job.masked(key) };
    const answer = await this.#ask((client, options) => client.getData(request, options));
    return answer.found ? { value: JSON.parse(new TextDecoder().decode(answer.value)) as unknown } : null;
  }

  async #acquire(args: Record<string, unknown>): Promise<unknown> {
    const request = {
      ...this.#lease(),
      name: this.#job.masked(String(args["name"])),
      holdId: String(args["hold"]),
      ttl: durationFromMs(Number(args["ttl_ms"])),
    };
    const end = performance.now() + Number(args["wait_ms"]);
    for (let delay = LOCK_MILLIS_MIN;; delay = Math.min(delay * 2, LOCK_MILLIS_MAX)) {
      const answer = await this.#ask((client, options) => client.acquireLock(request, options));
      if (answer.acquired) return { fence: Number(answer.fence) };
      if (!this.#job.isHeld) {
        throw new CallFailed("LeaseLost: The job has ended or lost its lease, so it cannot acquire a mutex.");
      }
      const left = end - performance.now();
      if (left <= 0) return null;
      const told = answer.retryAfter === undefined ? 0 : durationMs(answer.retryAfter);
      await sleep(Math.min(delay, left, told + 1), this.#signal);
    }
  }

  async #release(args: Record<string, unknown>): Promise<boolean> {
    const request = { ...this.#lease(), name: this.#job.masked(String(args["name"])), holdId: String(args["hold"]) };
    return (await this.#ask((client, options) => client.releaseLock(request, options))).released;
  }

  async #ask<T>(send: Send<T>): Promise<T> {
    try {
      return await this.#send(send, OUTAGE_MILLIS_MAX);
    } catch (failure) {
      const { code, message } = readStatus(failure);
      throw new CallFailed(`${NAMES.get(code) ?? "SchedulerUnavailable"}: ${message}`);
    }
  }

  async #send<T>(send: Send<T>, longestMillis: number): Promise<T> {
    const end = performance.now() + longestMillis;
    for (;;) {
      const { client, headers } = this.#connection();
      try {
        return await send(client, { timeoutMs: CALL_MILLIS_MAX, headers });
      } catch (failure) {
        if (!AWAY.includes(readStatus(failure).code) || !this.#job.isHeld || performance.now() > end) throw failure;
      }
      await sleep(RETRY_MILLIS, this.#signal);
    }
  }
}
