/** Keeps the worker's session with the scheduler across any number of connections. */

import { setImmediate } from "node:timers/promises";
import { type Duration, durationMs } from "@bufbuild/protobuf/wkt";
import { type Client, Code, createClient } from "@connectrpc/connect";
import { connect, type Connection } from "../access/connection.ts";
import type { Access } from "../access/settings.ts";
import { type CallStatus, readStatus } from "../access/status.ts";
import { JobApiService } from "../proto/millrace/worker/v1/job_api_service_pb.ts";
import { JobBlobService } from "../proto/millrace/worker/v1/job_blob_service_pb.ts";
import type { Welcome } from "../proto/millrace/worker/v1/session_pb.ts";
import {
  type OpenSessionResponse,
  WorkerSessionService,
} from "../proto/millrace/worker/v1/worker_session_service_pb.ts";
import type { JobApiConnection } from "./job_api.ts";
import { type Limits, USUAL_LIMITS } from "./leased_job.ts";
import type { SessionLife } from "./life.ts";
import type { Notify } from "./notify.ts";
import type { Outbox, SessionRequest } from "./outbox.ts";
import { ALONE, type JobEngine, SessionJobs } from "./session_jobs.ts";
import type { SharedFolders } from "./shared_folders.ts";

const WELCOME_MILLIS_MAX = 10_000;
const GOODBYE_MILLIS_MAX = 2_000;

/** A connection on which nothing has arrived for this many heartbeats counts as dead. */
const SILENT_HEARTBEATS_MAX = 2;

/** Interval of asking which shared folders are not needed any more, in case the message of the scheduler was lost. */
const ASK_MILLIS = 60_000;

/** Fewer heartbeats would leave it in doubt whether the session lives. */
const HEARTBEATS_PER_TTL_MIN = 3;

const HEARTBEAT_MILLIS_MIN = 50;
const DELAY_MILLIS_MIN = 100;
const DELAY_MILLIS_MAX = 3_000;

/** What the worker reports about itself in every Hello. */
export interface Identity {
  readonly workerName: string;
  readonly version: string;
  readonly runtimes: Record<string, string>;
  readonly labels: Record<string, string>;
  /** Its only group of slots. */
  readonly group: { readonly name: string; readonly tags: string[]; readonly slots: number };
}

/** What a session works with. */
export interface SessionParts {
  readonly access: Access;
  readonly identity: Identity;
  readonly engine: JobEngine;
  readonly outbox: Outbox;
  readonly life: SessionLife;
  readonly folders: SharedFolders;
  readonly notify: Notify;
}

/** Why a worker wants no jobs, which may be for no named reason; undefined if it wants some. */
type Pause = string | undefined;

/** One stream of the session. */
class Stream {
  readonly resumes: boolean;
  readonly helloTime = performance.now();
  readonly controller = new AbortController();
  lastArrival = this.helloTime;
  isWelcomed = false;
  mustReconnect = false;
  isOver = false;
  /** Why the worker has ended the stream; empty if it has not. */
  reason = "";

  constructor(resumes: boolean) {
    this.resumes = resumes;
  }

  /** Ends the stream at once; its late messages are ignored. */
  abort(reason: string): void {
    this.reason = reason;
    this.isOver = true;
    this.controller.abort();
  }
}

/**
 * The session of one worker. Messages of a stream that is over have no effect, so the list of held leases in a Hello is
 * exact.
 */
export class Session {
  readonly jobs: SessionJobs;
  readonly #parts: SessionParts;
  #connection: Connection;
  #connections = 0;
  #client: Client<typeof WorkerSessionService>;
  #jobApi: Client<typeof JobApiService>;
  #blobs: Client<typeof JobBlobService>;
  #limits = USUAL_LIMITS;
  #current: Stream | undefined;
  #sessionId = "";
  #resumeToken = "";
  #stopsDemand = false;
  #isLeaving = false;
  #failures = 0;
  #running: Promise<void> = Promise.resolve();

  constructor(parts: SessionParts) {
    this.#parts = parts;
    this.jobs = new SessionJobs(parts.engine, parts.outbox, parts.folders, parts.notify);
    this.#connection = connect(parts.access, this.#connections++);
    this.#client = createClient(WorkerSessionService, this.#connection.transport);
    this.#jobApi = createClient(JobApiService, this.#connection.transport);
    this.#blobs = createClient(JobBlobService, this.#connection.transport);
  }

  /** Whether a stream is open. */
  get isConnected(): boolean {
    return this.#current?.isWelcomed === true && !this.#current.isOver;
  }

  /** Returns the connection, for calls beside the session. */
  connection(): JobApiConnection {
    return { client: this.#jobApi, blobs: this.#blobs, headers: this.#parts.access.tokens.headers() };
  }

  /** Connects in the background. */
  start(): void {
    this.#running = this.#run();
  }

  /** Asks the scheduler for no further jobs. */
  stopDemand(): void {
    this.#stopsDemand = true;
    this.jobs.giveBackWaiting("The worker is stopping.");
    this.#parts.outbox.wakes.wake();
  }

  /** Says goodbye if there is a connection, and ends the session. */
  async close(): Promise<void> {
    this.#isLeaving = true;
    this.#parts.outbox.wakes.wake();
    const late = setTimeout(() => this.#current?.abort("The worker has stopped."), GOODBYE_MILLIS_MAX);
    await this.#running;
    clearTimeout(late);
    this.#connection.close();
  }

  async #run(): Promise<void> {
    while (!this.#isLeaving) {
      const stream = new Stream(this.#sessionId !== "");
      const failure = await this.#connectAndReceive(stream);
      this.#parts.life.interrupted();
      if (!this.#isLeaving) await this.#afterEnd(stream, failure);
    }
  }

  /** Serves a stream to its end; resolves to how it failed, if it did. */
  async #connectAndReceive(stream: Stream): Promise<CallStatus | undefined> {
    const { tokens } = this.#parts.access;
    const headers = tokens.headers();
    this.#current = stream;
    try {
      const options = { headers, signal: stream.controller.signal };
      for await (const message of this.#client.openSession(this.#requests(stream), options)) {
        if (stream.isOver) break;
        stream.lastArrival = performance.now();
        this.#receive(stream, message);
      }
      return undefined;
    } catch (error) {
      const failure = readStatus(error);
      if (failure.code === Code.Unauthenticated) tokens.renew(headers);
      return failure;
    } finally {
      stream.isOver = true;
      stream.controller.abort();
      this.#parts.outbox.wakes.wake();
    }
  }

  #hello(pause: Pause): SessionRequest {
    const { workerName, version, runtimes, labels } = this.#parts.identity;
    return {
      message: {
        case: "hello",
        value: {
          workerName,
          version,
          runtimes,
          labels,
          slotGroups: [this.#group(pause)],
          sessionId: this.#sessionId,
          resumeToken: this.#resumeToken,
          heldLeases: this.#sessionId === "" ? [] : this.jobs.leases(),
        },
      },
    };
  }

  /** Yields what this stream sends, until it is over. */
  async *#requests(stream: Stream): AsyncGenerator<SessionRequest> {
    const { outbox, life, folders } = this.#parts;
    let told = this.#pause();
    yield this.#hello(told);
    while (!stream.isWelcomed) {
      const left = stream.helloTime + WELCOME_MILLIS_MAX - performance.now();
      if (left <= 0 || this.#isLeaving) stream.abort("The scheduler did not answer the Hello.");
      if (stream.isOver) return;
      await outbox.wakes.wait(left);
    }
    let heartbeatTime = stream.helloTime;
    let askTime = stream.helloTime;
    while (!stream.isOver) {
      await this.#endIfDead(stream);
      if (stream.isOver) return;
      const now = performance.now();
      if (now >= heartbeatTime) {
        yield { message: { case: "heartbeat", value: { sequence: life.send() } } };
        heartbeatTime = now + this.#limits.heartbeatMillis;
      }
      if (now >= askTime) {
        const groupIds = folders.groups();
        if (groupIds.length > 0) yield { message: { case: "heldFolders", value: { groupIds } } };
        askTime = now + ASK_MILLIS;
      }
      const pause = this.#pause();
      if (pause !== told) {
        yield { message: { case: "demand", value: { slotGroups: [this.#group(pause)] } } };
        told = pause;
      }
      // What a stream that is over takes, it would lose.
      if (!stream.isOver) yield* outbox.take();
      if (this.#isLeaving) {
        yield { message: { case: "goodbye", value: {} } };
        return;
      }
      if (stream.isOver || stream.mustReconnect || outbox.hasMessages || this.#pause() !== told) continue;
      const silenceEnd = stream.lastArrival + this.#limits.heartbeatMillis * SILENT_HEARTBEATS_MAX + 1;
      await outbox.wakes.wait(Math.min(heartbeatTime, silenceEnd) - performance.now());
    }
  }

  /** Ends a stream whose scheduler wants to stop, or does not answer. */
  async #endIfDead(stream: Stream): Promise<void> {
    const isSilent = (): boolean =>
      performance.now() - stream.lastArrival > this.#limits.heartbeatMillis * SILENT_HEARTBEATS_MAX;
    if (stream.mustReconnect) {
      stream.abort("The scheduler asked to reconnect.");
    } else if (isSilent()) {
      // After a handler has kept the event loop busy, the answers have arrived, but nobody has read them yet.
      for (let round = 0; round < SILENT_HEARTBEATS_MAX + 1; round++) await setImmediate();
      if (isSilent()) stream.abort(`The scheduler has not answered ${SILENT_HEARTBEATS_MAX} heartbeats.`);
    }
  }

  #pause(): Pause {
    if (this.#stopsDemand) return "";
    return this.jobs.isAlone ? ALONE : undefined;
  }

  #group(pause: Pause): { name: string; tags: string[]; slots: number; pauseReason: string } {
    const { name, tags, slots } = this.#parts.identity.group;
    return { name, tags, slots: pause === undefined ? slots : 0, pauseReason: pause ?? "" };
  }

  #receive(stream: Stream, { message }: OpenSessionResponse): void {
    const { outbox, life, engine, folders } = this.#parts;
    switch (message.case) {
      case "welcome":
        this.#welcome(stream, message.value);
        break;
      case "leases":
        this.jobs.accept(message.value.leases, this.#limits);
        break;
      case "resultAcks":
        this.jobs.acknowledge(message.value.acks);
        break;
      case "logAck":
        outbox.acknowledgeLogs(message.value.batch);
        engine.resume();
        break;
      case "cancelJobs":
        this.jobs.cancel(message.value.jobs);
        break;
      case "heartbeat":
        life.answered(message.value.sequence);
        engine.resume();
        break;
      case "endedFolders":
        folders.end(message.value.groupIds);
        break;
      case "reconnect":
        stream.mustReconnect = true;
        outbox.wakes.wake();
        break;
      case undefined: // A message of a later version.
        break;
    }
  }

  #welcome(stream: Stream, welcome: Welcome): void {
    const { access, outbox, life, engine, notify } = this.#parts;
    if (stream.resumes && !welcome.resumed) {
      this.#lose("The scheduler has opened a new session instead of the old one.");
    }
    this.#limits = limitsOf(welcome);
    this.#sessionId = welcome.sessionId;
    this.#resumeToken = welcome.resumeToken;
    if (welcome.resumed) {
      outbox.resend(welcome.logsAcknowledged);
      this.jobs.tellStarted();
    }
    const kept = welcome.resumed ? ", with all leases kept" : "";
    notify("info", `Connected to the scheduler at ${access.target}${kept}.`);
    this.#failures = 0;
    life.opened(stream.helloTime, this.#limits.ttlMillis);
    stream.isWelcomed = true;
    engine.resume();
    outbox.wakes.wake();
  }

  #lose(reason: string): void {
    this.#sessionId = this.#resumeToken = "";
    this.jobs.dropAll(reason);
    this.#parts.outbox.clear();
    this.#parts.folders.endAll();
  }

  /** Decides how to continue: immediately if the session is gone, else after a delay. */
  async #afterEnd(stream: Stream, failure: CallStatus | undefined): Promise<void> {
    const { access, notify } = this.#parts;
    const said = failure?.message ?? "It closed the stream.";
    if (failure?.code === Code.FailedPrecondition && this.#sessionId !== "") {
      this.#lose(`The scheduler has ended the session: ${said}`);
      return;
    }
    if (stream.mustReconnect) {
      notify("info", "The scheduler is stopping; reconnecting with all leases kept.");
    } else {
      const why = stream.reason || said;
      notify("warning", `The connection to the scheduler at ${access.target} ended; reconnecting: ${why}`);
    }
    this.#replaceConnection();
    await this.#delay();
  }

  /** Drops the connection, a half-open one included, and goes to the next scheduler. */
  #replaceConnection(): void {
    const old = this.#connection;
    try {
      this.#connection = connect(this.#parts.access, this.#connections++);
    } catch (error) {
      this.#parts.notify("warning", `${String(error)} Connecting with the certificates that were read before.`);
      return;
    }
    this.#client = createClient(WorkerSessionService, this.#connection.transport);
    this.#jobApi = createClient(JobApiService, this.#connection.transport);
    this.#blobs = createClient(JobBlobService, this.#connection.transport);
    old.close();
  }

  async #delay(): Promise<void> {
    const most = Math.min(DELAY_MILLIS_MAX, DELAY_MILLIS_MIN * 2 ** Math.min(this.#failures++, 10));
    const end = performance.now() + most / 2 * (1 + Math.random());
    while (!this.#isLeaving && performance.now() < end) await this.#parts.outbox.wakes.wait(end - performance.now());
  }
}

function limitsOf(welcome: Welcome): Limits {
  const ttlMillis = millisOf(welcome.sessionTtl) || USUAL_LIMITS.ttlMillis;
  const told = millisOf(welcome.heartbeatInterval) || USUAL_LIMITS.heartbeatMillis;
  return {
    heartbeatMillis: Math.max(Math.min(told, ttlMillis / HEARTBEATS_PER_TTL_MIN), HEARTBEAT_MILLIS_MIN),
    ttlMillis,
    resultBytesMax: welcome.resultBytesMax || USUAL_LIMITS.resultBytesMax,
    logBytesMax: Number(welcome.logBytesMax) || USUAL_LIMITS.logBytesMax,
  };
}

function millisOf(duration: Duration | undefined): number {
  return duration === undefined ? 0 : durationMs(duration);
}
