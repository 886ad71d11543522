/** Messages that wait to be sent, and sent ones that are not acknowledged yet. */

import { create, type MessageInitShape } from "@bufbuild/protobuf";
import {
  type JobResult,
  type Started,
  type WorkerLog,
  type WorkerLogs,
  WorkerLogsSchema,
} from "../proto/millrace/worker/v1/session_pb.ts";
import type { OpenSessionRequestSchema } from "../proto/millrace/worker/v1/worker_session_service_pb.ts";
import { Wakes } from "./wakes.ts";

const RESULTS_PER_MESSAGE_MAX = 500;
const MESSAGE_BYTES_MAX = 1 << 20;

/** Bytes of logs that may wait for the scheduler; beyond, no further job begins. */
const LOG_BUFFER_BYTES_MAX = 8 << 20;

/** Bytes that a log or a result takes beside its text, at most. */
const FIELDS_BYTES = 128;

/** Message of the worker. */
export type SessionRequest = MessageInitShape<typeof OpenSessionRequestSchema>;

/** What tells one attempt from all others. */
export interface LeaseId {
  readonly jobId: string;
  readonly leaseToken: bigint;
}

/** Returns a text for a lease, as a key of maps. */
export function keyOf(lease: LeaseId): string {
  return `${lease.jobId}/${lease.leaseToken}`;
}

/**
 * Queue from the jobs to the stream.
 *
 * Logs of a job leave before its result. Results and logs stay until the scheduler has acknowledged them, and leave
 * again on a new stream of the same session.
 */
export class Outbox {
  /** Wakes the sender, and all others who wait for a change of the session. */
  readonly wakes = new Wakes();
  #results: JobResult[] = [];
  readonly #unacknowledged = new Map<string, JobResult>();
  #started: Started[] = [];
  #logs: WorkerLog[] = [];
  #resent: WorkerLogs[] = [];
  #unacknowledgedLogs: WorkerLogs[] = [];
  #logBytes = 0;
  #lastBatch = 0n;

  /** Adds the news that a job has begun. */
  addStarted(started: Started): void {
    this.#started.push(started);
    this.wakes.wake();
  }

  /** Adds the end of an attempt. */
  addResult(result: JobResult): void {
    this.#unacknowledged.set(keyOf(result), result);
    this.#results.push(result);
    this.wakes.wake();
  }

  /** Adds a piece of log. */
  addLog(log: WorkerLog): void {
    this.#logs.push(log);
    this.#logBytes += sizeOf(log);
    this.wakes.wake();
  }

  /** Whether the scheduler keeps up with the logs, so that further jobs may begin. */
  get hasRoom(): boolean {
    return this.#logBytes <= LOG_BUFFER_BYTES_MAX;
  }

  /** Forgets the result of a lost lease, sent or not. */
  forget(lease: LeaseId): void {
    const key = keyOf(lease);
    this.#unacknowledged.delete(key);
    this.#results = this.#results.filter((result) => keyOf(result) !== key);
    this.#started = this.#started.filter((started) => keyOf(started) !== key);
    this.wakes.wake();
  }

  /** Forgets a result that the scheduler has answered. */
  acknowledgeResult(lease: LeaseId): void {
    this.#unacknowledged.delete(keyOf(lease));
    this.wakes.wake();
  }

  /** Forgets the batches of logs up to this number. */
  acknowledgeLogs(batch: bigint): void {
    for (const logs of this.#unacknowledgedLogs) {
      if (logs.batch <= batch) this.#logBytes -= logs.logs.reduce((sum, log) => sum + sizeOf(log), 0);
    }
    this.#unacknowledgedLogs = this.#unacknowledgedLogs.filter((logs) => logs.batch > batch);
    this.#resent = this.#resent.filter((logs) => logs.batch > batch);
    this.wakes.wake();
  }

  /** Queues everything again that the scheduler may lack: the connection is new, and the session is the same. */
  resend(logsAcknowledged: bigint): void {
    this.acknowledgeLogs(logsAcknowledged);
    this.#results = [...this.#unacknowledged.values()];
    this.#resent = [...this.#unacknowledgedLogs];
    this.wakes.wake();
  }

  /** Forgets everything, because the session is lost and all its leases with it. */
  clear(): void {
    this.#results = [];
    this.#unacknowledged.clear();
    this.#started = [];
    this.#logs = [];
    this.#resent = [];
    this.#unacknowledgedLogs = [];
    this.#logBytes = 0;
    this.#lastBatch = 0n;
    this.wakes.wake();
  }

  /** Waits until everything is acknowledged; resolves to false if the time ends before. */
  async settle(millis: number): Promise<boolean> {
    const end = performance.now() + millis;
    while (this.#unacknowledged.size + this.#logs.length + this.#unacknowledgedLogs.length > 0) {
      const left = end - performance.now();
      if (left <= 0) return false;
      await this.wakes.wait(left);
    }
    return true;
  }

  /** Whether `take` would return messages. */
  get hasMessages(): boolean {
    return this.#results.length + this.#logs.length + this.#resent.length + this.#started.length > 0;
  }

  /** Returns the messages to send now, in their order. */
  take(): SessionRequest[] {
    const messages: SessionRequest[] = this.#resent.map((value) => ({ message: { case: "logs", value } }));
    this.#resent = [];
    while (this.#logs.length > 0) messages.push({ message: { case: "logs", value: this.#nextLogs() } });
    if (this.#started.length > 0) messages.push({ message: { case: "started", value: { jobs: this.#started } } });
    this.#started = [];
    while (this.#results.length > 0) {
      const results = this.#results.splice(0, countThatFits(this.#results, RESULTS_PER_MESSAGE_MAX, resultSize));
      messages.push({ message: { case: "results", value: { results } } });
    }
    return messages;
  }

  #nextLogs(): WorkerLogs {
    const logs = this.#logs.splice(0, countThatFits(this.#logs, Infinity, sizeOf));
    const batch = create(WorkerLogsSchema, { batch: ++this.#lastBatch, logs });
    this.#unacknowledgedLogs.push(batch);
    return batch;
  }
}

/** Returns how many items from the first on go into one message; at least one does. */
function countThatFits<T>(items: readonly T[], most: number, size: (item: T) => number): number {
  let bytes = 0;
  let count = 0;
  for (const item of items) {
    if (bytes >= MESSAGE_BYTES_MAX || count >= most) break;
    bytes += size(item);
    count++;
  }
  return count;
}

function sizeOf(log: WorkerLog): number {
  return Buffer.byteLength(log.text) + FIELDS_BYTES;
}

function resultSize(result: JobResult): number {
  const { outcome } = result;
  if (outcome.case === "error") return Buffer.byteLength(outcome.value.message + outcome.value.stack) + FIELDS_BYTES;
  return (outcome.case === "result" ? outcome.value.length : 0) + FIELDS_BYTES;
}
