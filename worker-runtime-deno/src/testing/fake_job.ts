import type { Context } from "../context.ts";
import { setContext } from "../current.ts";
import { denoHost } from "../deno_host.ts";
import { Canceled } from "../errors.ts";
import { setHost } from "../host.ts";
import { contextOf } from "../job_context.ts";
import { enterScope, JobScope } from "../job_scope.ts";
import type { JobMessage } from "../messages.ts";
import { readParameters } from "../parameters.ts";
import { loadScript, type Script } from "../script.ts";
import { type Answer, asJson, FakeHost } from "./fake_host.ts";

setHost(denoHost);

/** What the context of a fake job contains. */
export interface FakeJobOptions {
  readonly jobId?: string;
  readonly runId?: string;
  /** Key of the flow's step. */
  readonly step?: string;
  /** Number of the attempt, from 1. */
  readonly attempt?: number;
  /** Seconds that the attempt may take. Nothing stops it after that time. */
  readonly timeout?: number;
  readonly workspace?: string;
  readonly sharedFolder?: string;
}

/** A job of a test, without a worker. The code before the worker's door is the code of production. */
export class FakeJob {
  /** Data of the run, to be filled and read. */
  readonly data: Map<string, unknown>;
  /** Names of the mutexes that others hold, for which a job waits in vain. */
  readonly heldByOthers: Set<string>;
  /** Names of the mutexes that the job holds at present. */
  readonly held: readonly string[];
  /** Names of all mutexes that it has held, in their order. */
  readonly locked: readonly string[];
  /** What it has told of its progress. */
  readonly progress: readonly unknown[];
  /** Its traces. */
  readonly traces: readonly string[];
  /** What its logger has written. */
  readonly lines: readonly (readonly [stream: string, line: string])[];
  /** Everything that it has asked its worker for. */
  readonly calls: readonly (readonly [method: string, args: unknown])[];
  readonly #host: FakeHost;
  #message: JobMessage;
  #abort = new AbortController();

  constructor(options: FakeJobOptions = {}) {
    const host = new FakeHost(options.workspace ?? "default");
    this.#host = host;
    this.data = host.data;
    this.heldByOthers = host.heldByOthers;
    this.held = host.held;
    this.locked = host.locked;
    this.progress = host.shown;
    this.traces = host.traces;
    this.lines = host.lines;
    this.calls = host.calls;
    this.#message = {
      type: "job",
      id: options.jobId ?? "00000000-0000-7000-8000-000000000001",
      attempt: options.attempt ?? 1,
      run_id: options.runId ?? "00000000-0000-7000-8000-000000000000",
      step: options.step ?? "",
      deadline_ms: (options.timeout ?? 0) * 1000,
      traceparent: "",
      idempotency_key: "00000000-0000-5000-8000-000000000000",
      ...(options.sharedFolder === undefined ? {} : { shared_folder: options.sharedFolder }),
      input: null,
    };
  }

  /** What `current()` and the parameter `ctx` are: a new object of the same content each time. */
  get context(): Context {
    return contextOf(this.#message, this.#abort.signal, this.#host);
  }

  /** Begins the next attempt: the context has its number, and all else stays. */
  retry(): void {
    this.#message = { ...this.#message, attempt: this.#message.attempt + 1 };
    this.#abort = new AbortController();
  }

  /** Cancels the job: aborts `ctx.signal`. */
  cancel(): void {
    this.#abort.abort(new Canceled());
  }

  /** Sets what a call of the worker answers, such as `secret.get`; the function receives its arguments. */
  answer(method: string, answer: Answer): void {
    this.#host.answers.set(method, answer);
  }

  /**
   * Runs a script as a worker does, and resolves to the result as the next step reads it.
   *
   * @param code The file of the script, by its path or URL, or its function `main`.
   * @param input The input of the job.
   * @throws {InputError} The input does not fit.
   * @throws {ResultError} The result cannot be written as JSON.
   * @throws {Canceled} The job was canceled.
   */
  async run(code: string | URL | ((...args: never[]) => unknown), input: unknown = {}): Promise<unknown> {
    const { main, parameters } = typeof code === "function"
      ? { main: code as Script["main"], parameters: readParameters(code, code.toString()) }
      : await loadScript(pathOf(code));
    const scope = new JobScope(this.#message.id);
    const { context } = this;
    setContext(scope, context);
    const args = parameters.bind(asJson(input, "input"), context);
    try {
      const value = asJson(await Promise.race([callIn(scope, main, args), scope.failed]), "result");
      context.signal.throwIfAborted();
      return value;
    } finally {
      scope.end();
    }
  }
}

/** Returns a job for a test. */
export function fakeJob(options: FakeJobOptions = {}): FakeJob {
  return new FakeJob(options);
}

async function callIn(scope: JobScope, main: Script["main"], args: readonly unknown[]): Promise<unknown> {
  enterScope(scope);
  try {
    return await main(...args);
  } finally {
    enterScope(undefined);
  }
}

function pathOf(file: string | URL): string {
  if (typeof file !== "string") return decodeURIComponent(file.pathname);
  if (file.startsWith("file:")) return decodeURIComponent(new URL(file).pathname);
  return file.startsWith("/") ? file : `${Deno.cwd()}/${file}`;
}
