/** The client. */

import { randomUUID } from "node:crypto";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { durationFromMs, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { type Client as Stub, Code, createClient } from "@connectrpc/connect";
import { chooseAccess, type ContextOptions } from "../access/settings.ts";
import { LogService } from "../proto/millrace/log/v1/log_service_pb.ts";
import { OperationService } from "../proto/millrace/operation/v1/operation_service_pb.ts";
import type { Run as RunMessage, RunSpecSchema } from "../proto/millrace/run/v1/run_pb.ts";
import { RunService } from "../proto/millrace/run/v1/run_service_pb.ts";
import { SignalService } from "../proto/millrace/signal/v1/signal_service_pb.ts";
import { Calls } from "./calls.ts";
import { eventOf, jsonBytes, jsonValue, logOf, runOf, specOf, stateNumber, stepOf } from "./conversion.ts";
import { errorOf, errorOfStatus, RunCanceled, RunFailed } from "./errors.ts";
import { Following } from "./following.ts";
import {
  type Input,
  isEnd,
  type LogChunk,
  type Note,
  type Run,
  type RunEvent,
  type RunFilter,
  type RunOptions,
  type Step,
  type Target,
  type WaitOptions,
} from "./models.ts";
import type { Retries } from "./retries.ts";

const TIMEOUT_SECONDS = 15;
const PAGE_SIZE = 200;

/** Longest time that `run` waits within the call that starts the run; after that it follows the run. */
const FIRST_WAIT_MILLIS = 30_000;

/** Settings of a client. Those that are not given come from the variables and contexts of the command line. */
export interface ClientOptions extends ContextOptions {
  /** How calls are repeated. */
  readonly retries?: Retries;
  /** Seconds for one attempt of a call; 15 by default. */
  readonly timeout?: number;
}

interface Submission {
  readonly workspace: string;
  readonly requestId: string;
  readonly spec: MessageInitShape<typeof RunSpecSchema>;
}

interface Operation {
  readonly workspace: string;
  readonly runId: string;
  readonly note: Required<Note>;
}

interface Page<T> {
  readonly entries: readonly T[];
  readonly nextPageToken: string;
}

/**
 * Calls a scheduler; keeps one connection. Each call that changes something carries a request id and is repeated if the
 * connection breaks: it takes effect once.
 *
 * @example
 * ```ts
 * using client = new Client();
 * const total = await client.run({ flow: "pipeline" }, { orders: [1, 2] });
 * ```
 */
export class Client implements Disposable {
  readonly #workspace: string;
  readonly #calls: Calls;
  readonly #runs: Stub<typeof RunService>;
  readonly #operations: Stub<typeof OperationService>;
  readonly #signals: Stub<typeof SignalService>;
  readonly #logs: Stub<typeof LogService>;

  /** @throws {AccessError} The settings contradict each other, or a file cannot be used. */
  constructor(options: ClientOptions = {}) {
    const access = chooseAccess(options, {
      tokenVariable: "MILLRACE_TOKEN",
      useContexts: true,
      environment: process.env,
    });
    this.#workspace = access.workspace;
    this.#calls = new Calls(access, options.retries ?? {}, (options.timeout ?? TIMEOUT_SECONDS) * 1000);
    const { transport } = this.#calls.connection;
    this.#runs = createClient(RunService, transport);
    this.#operations = createClient(OperationService, transport);
    this.#signals = createClient(SignalService, transport);
    this.#logs = createClient(LogService, transport);
  }

  /** Closes the connection; calls in progress fail. */
  close(): void {
    this.#calls.connection.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  /**
   * Starts a run, waits for its end and returns its output. A flow may return a result before its end.
   *
   * @throws {RunFailed} The run failed, or was canceled (`RunCanceled`).
   * @throws {TimedOut} The run has not ended in time. It goes on.
   * @throws {ClientError} A call failed.
   */
  async run<Output = unknown>(target: Target, input?: Input, options: RunOptions & WaitOptions = {}): Promise<Output> {
    const { timeout, signal } = options;
    const begin = performance.now();
    const waitMillis = timeout === undefined ? FIRST_WAIT_MILLIS : Math.min(timeout * 1000, FIRST_WAIT_MILLIS);
    const request = { ...this.#submission(target, input, options), wait: durationFromMs(Math.ceil(waitMillis)) };
    const send = (call: object) => this.#runs.submitRun(request, call);
    const answer = await this.#calls.perform("SubmitRun", send, { waitMillis, signal });
    if (answer.earlyReturn !== undefined) return jsonValue(answer.earlyReturn.result) as Output;
    let run = runOf(answer.run);
    if (!isEnd(run.state)) {
      const left = timeout === undefined ? {} : { timeout: timeout - (performance.now() - begin) / 1000 };
      run = await this.wait(run.id, { ...left, ...(signal === undefined ? {} : { signal }) });
    }
    return outputOf(run) as Output;
  }

  /** Starts a run, which is durable once this resolves. */
  async submit(target: Target, input?: Input, options: RunOptions = {}): Promise<Run> {
    const request = this.#submission(target, input, options);
    return runOf((await this.#calls.perform("SubmitRun", (call) => this.#runs.submitRun(request, call))).run);
  }

  /**
   * Waits for the end of a run and returns it with its output.
   *
   * @throws {TimedOut} The run has not ended in time. It goes on.
   */
  async wait(runId: string, options: WaitOptions = {}): Promise<Run> {
    for await (const _ of this.follow(runId, { ...options, logs: false }));
    return await this.getRun(runId);
  }

  /**
   * Returns the events of a run to its end: its present state, every change, and its log unless `logs` is false. Survives
   * lost connections.
   *
   * @throws {TimedOut} The run has not ended in time. It goes on.
   */
  async *follow(runId: string, options: WaitOptions & { readonly logs?: boolean } = {}): AsyncGenerator<RunEvent> {
    const { timeout, signal, logs = true } = options;
    const end = timeout === undefined ? Infinity : performance.now() + timeout * 1000;
    const following = new Following();
    const attempts = this.#calls.attempts();
    for (;;) {
      const headers = this.#calls.headers();
      const request = { workspace: this.#workspace, runId, includeLogs: logs, logsAfterPosition: following.position };
      const left = end === Infinity ? {} : { timeoutMs: Math.max(1, Math.ceil(end - performance.now())) };
      let error = errorOfStatus(Calls.streamEnded, "WatchRun", this.#calls.target);
      try {
        const stream = this.#runs.watchRun(request, { headers, ...left, ...(signal === undefined ? {} : { signal }) });
        for await (const answer of stream) {
          attempts.progressed();
          const event = eventOf(answer);
          if (event !== undefined && following.isNews(event)) yield event;
        }
      } catch (failure) {
        signal?.throwIfAborted();
        error = errorOf(failure, "WatchRun", this.#calls.target);
      }
      if (following.hasEnded) return;
      if (performance.now() >= end) {
        const message = `The run ${runId} has not ended within ${timeout} s. It goes on.`;
        throw errorOfStatus(
          { ...Calls.streamEnded, code: Code.DeadlineExceeded, message },
          "WatchRun",
          this.#calls.target,
        );
      }
      await this.#calls.pause(error, headers, attempts, signal);
    }
  }

  /** Returns a run with its input and output. */
  async getRun(runId: string): Promise<Run> {
    const request = { workspace: this.#workspace, runId };
    return runOf((await this.#calls.perform("GetRun", (call) => this.#runs.getRun(request, call))).run);
  }

  /** Searches the runs of the workspace, the newest first, without input and output. Pages are read as they are needed. */
  search(filter: RunFilter = {}): AsyncGenerator<Run> {
    const { createdFrom, createdBefore } = filter;
    const request = {
      workspace: this.#workspace,
      states: (filter.states ?? []).map(stateNumber),
      name: filter.name ?? "",
      input: [...filter.withInput ?? []],
      output: [...filter.withOutput ?? []],
      pageSize: PAGE_SIZE,
      ...(createdFrom === undefined ? {} : { createdFrom: timestampFromDate(createdFrom) }),
      ...(createdBefore === undefined ? {} : { createdBefore: timestampFromDate(createdBefore) }),
    };
    return pages(async (pageToken) => {
      const send = (call: object) => this.#runs.listRuns({ ...request, pageToken }, call);
      const { runs, nextPageToken } = await this.#calls.perform("ListRuns", send);
      return { entries: runs.map(runOf), nextPageToken };
    });
  }

  /** Returns the steps of a run: the ended ones in the order of their ends, then the others. */
  steps(runId: string): AsyncGenerator<Step> {
    const request = { workspace: this.#workspace, runId, pageSize: PAGE_SIZE };
    return pages(async (pageToken) => {
      const send = (call: object) => this.#runs.listSteps({ ...request, pageToken }, call);
      const { steps, nextPageToken } = await this.#calls.perform("ListSteps", send);
      return { entries: steps.map(stepOf), nextPageToken };
    });
  }

  /** Returns the stored log of a run; `follow` also returns what comes later. */
  logs(runId: string): AsyncGenerator<LogChunk> {
    const request = { workspace: this.#workspace, runId, pageSize: PAGE_SIZE };
    return pages(async (pageToken) => {
      const send = (call: object) => this.#logs.listLogs({ ...request, pageToken }, call);
      const { chunks, nextPageToken } = await this.#calls.perform("ListLogs", send);
      return { entries: chunks.map(logOf), nextPageToken };
    });
  }

  /** Cancels a run: waiting jobs are dropped, running ones are stopped. */
  async cancel(runId: string, note: Note = {}): Promise<Run> {
    const request = this.#operation(runId, note);
    return await this.#operate("CancelRun", (call) => this.#operations.cancelRun(request, call));
  }

  /** Pauses a run: running jobs finish, and no further job begins. */
  async pause(runId: string, note: Note = {}): Promise<Run> {
    const request = this.#operation(runId, note);
    return await this.#operate("PauseRun", (call) => this.#operations.pauseRun(request, call));
  }

  /** Resumes a paused run. */
  async resume(runId: string, note: Note = {}): Promise<Run> {
    const request = this.#operation(runId, note);
    return await this.#operate("ResumeRun", (call) => this.#operations.resumeRun(request, call));
  }

  /** Reopens a failed or canceled run; succeeded steps keep their results. */
  async retry(runId: string, note: Note = {}): Promise<Run> {
    const request = this.#operation(runId, note);
    return await this.#operate("RetryRun", (call) => this.#operations.retryRun(request, call));
  }

  /** Sends a signal. Resolves to the step that took it; empty if the run keeps it for a later wait. */
  async signal(runId: string, name: string, payload: unknown = null, note: Omit<Note, "reason"> = {}): Promise<string> {
    const request = {
      workspace: this.#workspace,
      runId,
      name,
      payload: jsonBytes(payload, "payload"),
      actor: note.actor ?? "",
      requestId: note.requestId ?? randomUUID(),
    };
    return (await this.#calls.perform("SendSignal", (call) => this.#signals.sendSignal(request, call))).step;
  }

  #submission(target: Target, input: Input | undefined, options: RunOptions): Submission {
    const requestId = options.requestId ?? randomUUID();
    return { workspace: this.#workspace, requestId, spec: specOf(target, input, options) };
  }

  #operation(runId: string, { actor = "", reason = "", requestId = randomUUID() }: Note): Operation {
    return { workspace: this.#workspace, runId, note: { actor, reason, requestId } };
  }

  async #operate(name: string, send: (call: object) => Promise<{ run?: RunMessage | undefined }>): Promise<Run> {
    return runOf((await this.#calls.perform(name, send)).run);
  }
}

/**
 * Returns the output of a run that has ended.
 *
 * @throws {RunFailed} It failed, or was canceled (`RunCanceled`).
 */
function outputOf(run: Run): unknown {
  if (run.state === "succeeded") return run.output;
  throw run.state === "canceled" ? new RunCanceled(run) : new RunFailed(run);
}

async function* pages<T>(read: (pageToken: string) => Promise<Page<T>>): AsyncGenerator<T> {
  let pageToken = "";
  do {
    const page = await read(pageToken);
    yield* page.entries;
    pageToken = page.nextPageToken;
  } while (pageToken !== "");
}
