/** The client. */

import { randomUUID } from "node:crypto";
import { basename } from "node:path";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { durationFromMs, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { type Client as Stub, Code, createClient } from "@connectrpc/connect";
import { chooseAccess, type ContextOptions } from "../access/settings.ts";
import { FlowService } from "../proto/millrace/flow/v1/flow_service_pb.ts";
import { LogService } from "../proto/millrace/log/v1/log_service_pb.ts";
import { BulkOperationService } from "../proto/millrace/operation/v1/bulk_operation_service_pb.ts";
import { OperationKind } from "../proto/millrace/operation/v1/operation_pb.ts";
import { OperationService } from "../proto/millrace/operation/v1/operation_service_pb.ts";
import type { Run as RunMessage, RunSpecSchema } from "../proto/millrace/run/v1/run_pb.ts";
import { RunService } from "../proto/millrace/run/v1/run_service_pb.ts";
import { ScriptService } from "../proto/millrace/script/v1/script_service_pb.ts";
import { AnswerWaitRequest_Answer, SignalService } from "../proto/millrace/signal/v1/signal_service_pb.ts";
import type { BlobReference, BlobSource, PutOptions } from "../../src/blobs.ts";
import { BlobStreams } from "./blobs.ts";
import { Calls } from "./calls.ts";
import {
  bulkOf,
  bulkRunOf,
  deployedFlow,
  eventOf,
  iterationOf,
  jsonBytes,
  jsonValue,
  kindNumber,
  logOf,
  runOf,
  selectionOf,
  specOf,
  stateNumber,
  stepOf,
  stepStateNumber,
  waitLinkOf,
  waitOf,
} from "./conversion.ts";
import { errorOf, errorOfStatus, RunCanceled, RunFailed } from "./errors.ts";
import { isScript, readBeside, readText } from "./files.ts";
import { Following } from "./following.ts";
import {
  type AnswerNote,
  type BulkOperation,
  type BulkRun,
  type Deployed,
  type FlowSource,
  type FollowOptions,
  type Input,
  isEnd,
  type Iteration,
  type IterationFilter,
  type LogChunk,
  type Note,
  type RerunOptions,
  type Run,
  type RunEvent,
  type RunFilter,
  type RunOptions,
  type RunSelection,
  type RunSpec,
  type Step,
  type StepFilter,
  type Target,
  type Wait,
  type WaitLink,
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
  readonly #bulks: Stub<typeof BulkOperationService>;
  readonly #signals: Stub<typeof SignalService>;
  readonly #logs: Stub<typeof LogService>;
  readonly #flows: Stub<typeof FlowService>;
  readonly #scripts: Stub<typeof ScriptService>;
  readonly #blobs: BlobStreams;

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
    this.#bulks = createClient(BulkOperationService, transport);
    this.#signals = createClient(SignalService, transport);
    this.#logs = createClient(LogService, transport);
    this.#flows = createClient(FlowService, transport);
    this.#scripts = createClient(ScriptService, transport);
    this.#blobs = new BlobStreams(this.#workspace, this.#calls);
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
    for await (const _ of this.follow(runId, { ...options, logs: false, foldLoops: true }));
    return await this.getRun(runId);
  }

  /**
   * Returns the events of a run to its end: its present state, every change, and its log unless `logs` is false. Survives
   * lost connections. With `foldLoops`, the steps inside loops of more than 20 iterations are left out, and the step of such
   * a loop has `iterations`.
   *
   * @throws {TimedOut} The run has not ended in time. It goes on.
   */
  async *follow(runId: string, options: FollowOptions = {}): AsyncGenerator<RunEvent> {
    const { timeout, signal, logs = true, foldLoops = false } = options;
    const end = timeout === undefined ? Infinity : performance.now() + timeout * 1000;
    const following = new Following();
    const attempts = this.#calls.attempts();
    for (;;) {
      const headers = this.#calls.headers();
      const request = {
        workspace: this.#workspace,
        runId,
        includeLogs: logs,
        foldLoops,
        logsAfterPosition: following.position,
      };
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

  /** Starts up to 10,000 runs in one transaction, all or none; resolves to their ids in order. */
  async submitAll(specs: readonly RunSpec[], options: Pick<Note, "requestId"> = {}): Promise<readonly string[]> {
    const request = {
      workspace: this.#workspace,
      requestId: options.requestId ?? randomUUID(),
      specs: specs.map((spec) => specOf(spec.target, spec.input, spec.options ?? {})),
    };
    return (await this.#calls.perform("SubmitRuns", (call) => this.#runs.submitRuns(request, call))).runIds;
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
      tag: filter.tag ?? "",
      input: [...filter.withInput ?? []],
      output: [...filter.withOutput ?? []],
      pageSize: PAGE_SIZE,
      ...(filter.kind === undefined ? {} : { kind: kindNumber(filter.kind) }),
      ...(createdFrom === undefined ? {} : { createdFrom: timestampFromDate(createdFrom) }),
      ...(createdBefore === undefined ? {} : { createdBefore: timestampFromDate(createdBefore) }),
    };
    return pages(async (pageToken) => {
      const send = (call: object) => this.#runs.listRuns({ ...request, pageToken }, call);
      const { runs, nextPageToken } = await this.#calls.perform("ListRuns", send);
      return { entries: runs.map(runOf), nextPageToken };
    });
  }

  /**
   * Returns the steps of a run: the ended ones in the order of their ends, then the others. With `foldLoops`, those inside
   * loops of more than 20 iterations are left out; `iterations` lists these.
   */
  steps(runId: string, { foldLoops = false, iteration = "" }: StepFilter = {}): AsyncGenerator<Step> {
    const request = { workspace: this.#workspace, runId, foldLoops, iteration, pageSize: PAGE_SIZE };
    return pages(async (pageToken) => {
      const send = (call: object) => this.#runs.listSteps({ ...request, pageToken }, call);
      const { steps, nextPageToken } = await this.#calls.perform("ListSteps", send);
      return { entries: steps.map(stepOf), nextPageToken };
    });
  }

  /** Returns the iterations of a loop that have begun, in the order of their numbers. */
  iterations(runId: string, loop: string, { states = [], from = 0 }: IterationFilter = {}): AsyncGenerator<Iteration> {
    const request = {
      workspace: this.#workspace,
      runId,
      loop,
      states: states.map(stepStateNumber),
      fromNumber: from,
      pageSize: PAGE_SIZE,
    };
    return pages(async (pageToken) => {
      const send = (call: object) => this.#runs.listIterations({ ...request, pageToken }, call);
      const { iterations, nextPageToken } = await this.#calls.perform("ListIterations", send);
      return { entries: iterations.map(iterationOf), nextPageToken };
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

  /** Starts a new run of the same version, with the same input or another, and resolves to it. */
  async restart(runId: string, input?: Input, note: Note = {}): Promise<Run> {
    const request = { ...this.#operation(runId, note), input: inputBytes(input) };
    return await this.#operate("RestartRun", (call) => this.#operations.restartRun(request, call));
  }

  /**
   * Starts a new run at a step, with the results before it, and resolves to the new run. Its input and its version are
   * those of the old run, unless others are given.
   */
  async rerun(runId: string, step: string, input?: Input, note: Note & RerunOptions = {}): Promise<Run> {
    const { flowHash = "", stepInput } = note;
    const request = {
      ...this.#operation(runId, note),
      step,
      input: inputBytes(input),
      flowHash,
      stepInput: inputBytes(stepInput),
    };
    return await this.#operate("RerunRun", (call) => this.#operations.rerunRun(request, call));
  }

  /**
   * Starts new runs at a step of many runs, in the background, and resolves to the operation. Unless runs are named by id,
   * their states must be given.
   */
  async rerunAll(runs: RunSelection, step: string, note: Note & RerunOptions = {}): Promise<BulkOperation> {
    const { flowHash = "", stepInput } = note;
    const operation = OperationKind.RERUN;
    return await this.#startBulk(runs, { operation, step, flowHash, stepInput: inputBytes(stepInput) }, note);
  }

  /** Cancels many runs in the background, and resolves to the operation. */
  async cancelAll(runs: RunSelection, note: Note = {}): Promise<BulkOperation> {
    return await this.#startBulk(runs, { operation: OperationKind.CANCEL }, note);
  }

  /** Returns how far an operation on many runs has come. */
  async bulk(bulkOperationId: string): Promise<BulkOperation> {
    const request = { workspace: this.#workspace, bulkOperationId };
    const send = (call: object) => this.#bulks.getBulkOperation(request, call);
    return bulkOf((await this.#calls.perform("GetBulkOperation", send)).bulkOperation);
  }

  /** Returns what an operation on many runs did to each of them, ordered by id. */
  bulkRuns(bulkOperationId: string): AsyncGenerator<BulkRun> {
    const request = { workspace: this.#workspace, bulkOperationId, pageSize: PAGE_SIZE };
    return pages(async (pageToken) => {
      const send = (call: object) => this.#bulks.listBulkOperationRuns({ ...request, pageToken }, call);
      const { runs, nextPageToken } = await this.#calls.perform("ListBulkOperationRuns", send);
      return { entries: runs.map(bulkRunOf), nextPageToken };
    });
  }

  /** Leaves out the runs that an operation on many runs has not reached; nothing is undone. */
  async stopBulk(bulkOperationId: string, note: Note = {}): Promise<BulkOperation> {
    const { actor = "", reason = "" } = note;
    const request = { workspace: this.#workspace, bulkOperationId, note: { actor, reason } };
    const send = (call: object) => this.#bulks.cancelBulkOperation(request, call);
    return bulkOf((await this.#calls.perform("CancelBulkOperation", send)).bulkOperation);
  }

  /** Ends a waiting or running step as skipped, with this result. */
  async skip(runId: string, step: string, result: unknown = null, note: Note = {}): Promise<Run> {
    const request = { ...this.#operation(runId, note), step, result: jsonBytes(result, "result") };
    return await this.#operate("SkipStep", (call) => this.#operations.skipStep(request, call));
  }

  /** Returns the steps of a run that wait now, the oldest wait first. */
  waits(runId: string): AsyncGenerator<Wait> {
    const request = { workspace: this.#workspace, runId, pageSize: PAGE_SIZE };
    return pages(async (pageToken) => {
      const send = (call: object) => this.#signals.listWaits({ ...request, pageToken }, call);
      const { waits, nextPageToken } = await this.#calls.perform("ListWaits", send);
      return { entries: waits.map(waitOf), nextPageToken };
    });
  }

  /** Approves a step that waits for people, and resolves to its key. */
  async approve(runId: string, payload: unknown = null, note: AnswerNote = {}): Promise<string> {
    return await this.#answer(AnswerWaitRequest_Answer.APPROVE, runId, payload, note);
  }

  /** Denies a step that waits for people, and resolves to its key. */
  async deny(runId: string, payload: unknown = null, note: AnswerNote = {}): Promise<string> {
    return await this.#answer(AnswerWaitRequest_Answer.DENY, runId, payload, note);
  }

  /** Hands in the result of a human task, and resolves to the key of its step. */
  async complete(runId: string, payload: unknown = null, note: AnswerNote = {}): Promise<string> {
    return await this.#answer(AnswerWaitRequest_Answer.COMPLETE, runId, payload, note);
  }

  /** Signs links with which these people can answer a step; they are valid for 30 days unless `validFor` has seconds. */
  async waitLinks(
    runId: string,
    step: string,
    actors: readonly string[],
    options: { readonly validFor?: number } = {},
  ): Promise<readonly WaitLink[]> {
    const { validFor } = options;
    const request = {
      workspace: this.#workspace,
      runId,
      step,
      actors: [...actors],
      ...(validFor === undefined ? {} : { validFor: durationFromMs(validFor * 1000) }),
    };
    const send = (call: object) => this.#signals.createWaitLinks(request, call);
    return (await this.#calls.perform("CreateWaitLinks", send)).waitLinks.map(waitLinkOf);
  }

  /**
   * Uploads a blob, and returns its reference for an input. It is kept for a day unless a run opens it. If the connection
   * breaks, the upload begins again, unless the source is a stream.
   *
   * @throws {TypeError} The source is of another type, such as a text.
   * @throws {Overloaded} The workspace has no room for it (reason `QUOTA_EXCEEDED`), or the scheduler has none.
   * @throws {ClientError} The blob is too large, or the call failed otherwise.
   */
  async putBlob(source: BlobSource, options: PutOptions = {}): Promise<BlobReference> {
    return await this.#blobs.put(source, options);
  }

  /**
   * Opens a blob as a stream, by its reference or its id. The bytes come while they are read, and a broken connection
   * continues. Read the stream to its end or cancel it. Reading fails with `NotFound` if the workspace has no such blob.
   *
   * @example
   * ```ts
   * await pipeline(client.openBlob(run.output.table), createWriteStream("table.csv"));
   * ```
   *
   * @throws {TypeError} It is no reference to a blob.
   */
  openBlob(blob: BlobReference | string): ReadableStream<Uint8Array> {
    return this.#blobs.open(blob);
  }

  /**
   * Deploys a script, or a flow with the scripts beside it.
   *
   * @param file A script (`.py`, `.ts`, `.js`, `.mts`, `.mjs`) or the definition of a flow.
   * @param path Path on the server; by default the name of the script's file, or the name in the definition.
   * @throws {InvalidFlow} The definition has problems.
   */
  async deploy(file: string, path = ""): Promise<Deployed> {
    const content = readText(file);
    const fileName = basename(file);
    if (isScript(file)) return await this.deployScript(path || fileName, content);
    const request = { workspace: this.#workspace, fileName, definition: textBytes(content) };
    const send = (call: object) => this.#flows.validateFlow(request, call);
    const { scriptPaths } = await this.#calls.perform("ValidateFlow", send);
    return await this.deployFlow({ definition: content, fileName, path, files: readBeside(file, scriptPaths) });
  }

  /** Stores a version of a script and makes it the current one of its path. */
  async deployScript(path: string, content: string): Promise<Deployed> {
    const request = { workspace: this.#workspace, path, content: textBytes(content) };
    const send = (call: object) => this.#scripts.deployScript(request, call);
    const { script } = await this.#calls.perform("DeployScript", send);
    return { path: script?.path ?? "", hash: script?.hash ?? "", warnings: [] };
  }

  /**
   * Stores a version of a flow with its scripts and makes it the current one of its path.
   *
   * @throws {InvalidFlow} The definition has problems.
   */
  async deployFlow(flow: FlowSource): Promise<Deployed> {
    const request = {
      workspace: this.#workspace,
      path: flow.path ?? "",
      fileName: flow.fileName ?? "flow.yaml",
      definition: textBytes(flow.definition),
      files: Object.entries(flow.files ?? {}).map(([path, content]) => ({ path, content: textBytes(content) })),
    };
    return deployedFlow(await this.#calls.perform("DeployFlow", (call) => this.#flows.deployFlow(request, call)));
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

  async #startBulk(
    runs: RunSelection,
    what: { operation: OperationKind; step?: string; flowHash?: string; stepInput?: Uint8Array },
    { actor = "", reason = "", requestId = randomUUID() }: Note,
  ): Promise<BulkOperation> {
    const selection = selectionOf(runs);
    const note = { actor, reason, requestId };
    const request = { ...what, workspace: this.#workspace, note, ...(selection === undefined ? {} : { selection }) };
    const send = (call: object) => this.#bulks.startBulkOperation(request, call);
    return bulkOf((await this.#calls.perform("StartBulkOperation", send)).bulkOperation);
  }

  #operation(runId: string, { actor = "", reason = "", requestId = randomUUID() }: Note): Operation {
    return { workspace: this.#workspace, runId, note: { actor, reason, requestId } };
  }

  async #answer(answer: AnswerWaitRequest_Answer, runId: string, payload: unknown, note: AnswerNote): Promise<string> {
    const { step = "", actor = "", requestId = randomUUID() } = note;
    const bytes = jsonBytes(payload, "payload");
    const request = { workspace: this.#workspace, runId, step, answer, payload: bytes, actor, requestId };
    return (await this.#calls.perform("AnswerWait", (call) => this.#signals.answerWait(request, call))).step;
  }

  async #operate(name: string, send: (call: object) => Promise<{ run?: RunMessage | undefined }>): Promise<Run> {
    return runOf((await this.#calls.perform(name, send)).run);
  }
}

function inputBytes(input: Input | undefined): Uint8Array {
  return input === undefined ? new Uint8Array() : jsonBytes(input, "input");
}

function textBytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
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
