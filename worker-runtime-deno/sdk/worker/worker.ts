/** A worker that runs jobs in functions of its own process. */

import { readFileSync } from "node:fs";
import { availableParallelism, hostname } from "node:os";
import { type Access, type AccessOptions, chooseAccess } from "../access/settings.ts";
import type { Handler } from "./attempt.ts";
import { HandlerEngine } from "./engine.ts";
import { SessionLife } from "./life.ts";
import { harmless, type Notify, writeToStderr } from "./notify.ts";
import { Outbox } from "./outbox.ts";
import { type Identity, Session } from "./session.ts";
import { SharedFolders } from "./shared_folders.ts";
import { Wakes } from "./wakes.ts";

const GROUP = "handlers";
const TAG_PREFIX = "handler:";
const SLOTS_MAX = 10_000;
const NAME_CHARS_MAX = 128;
const STOP_SECONDS = 30;

/** Time for the scheduler to acknowledge the last results when the worker stops. */
const SETTLE_MILLIS_MAX = 5_000;

/** Time for handlers to end once they are asked to stop because the stop timeout is over. */
const INTERRUPT_MILLIS_MAX = 2_000;

const SIGNALS = ["SIGTERM", "SIGINT"] as const;

/** Settings of a worker. Those that are not given come from the environment variables of workers. */
export interface WorkerOptions extends AccessOptions {
  /** Name of the worker, for people; by default the machine's name. */
  readonly name?: string;
  /** Most jobs that run at once; by default the number of processors. */
  readonly slots?: number;
  /** Labels of any kind, for people. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Seconds that running jobs have to end when the worker stops; 30 by default. */
  readonly stopTimeout?: number;
  /** Receives what the worker has to say about its connection; by default, it writes lines to stderr. */
  readonly notify?: Notify;
}

/**
 * Offers functions as handlers of jobs.
 *
 * It reconnects by itself, keeps its jobs while the connection is lost, and sends results until the scheduler has
 * acknowledged them. All handlers share the event loop of the process. One that keeps it busy for longer than the time
 * to live of the session (15 s by default) loses the leases of all jobs.
 *
 * @example
 * ```ts
 * const worker = new Worker({ slots: 8 });
 * worker.job("resize", async (input: { file: string; width: number }, ctx) => {
 *   return await resize(input.file, input.width, { signal: ctx.signal });
 * });
 * await worker.run();
 * ```
 */
export class Worker {
  readonly #access: Access;
  readonly #name: string;
  readonly #slots: number;
  readonly #labels: Record<string, string>;
  readonly #stopMillis: number;
  readonly #notify: Notify;
  readonly #handlers = new Map<string, Handler>();
  readonly #stops = new Wakes();
  #isStopped = false;

  /**
   * @throws {AccessError} The settings contradict each other, or a file cannot be used.
   * @throws {RangeError} A number or name is out of its range.
   */
  constructor(options: WorkerOptions = {}) {
    const { env } = process;
    this.#access = chooseAccess(options, {
      tokenVariable: "MILLRACE_WORKER_TOKEN",
      useContexts: false,
      environment: env,
    });
    this.#name = options.name || env["MILLRACE_WORKER_NAME"] || hostname();
    this.#slots = options.slots ?? availableParallelism();
    this.#labels = { ...options.labels };
    this.#stopMillis = (options.stopTimeout ?? STOP_SECONDS) * 1000;
    this.#notify = options.notify === undefined ? writeToStderr : harmless(options.notify);
    const { length } = this.#name;
    if (length > NAME_CHARS_MAX) {
      throw new RangeError(
        `The name of a worker has 1 to ${NAME_CHARS_MAX} characters, but "${this.#name}" has ${length}.`,
      );
    }
    if (!Number.isInteger(this.#slots) || this.#slots < 1 || this.#slots > SLOTS_MAX) {
      throw new RangeError(`slots: ${this.#slots} (expected: 1 to ${SLOTS_MAX})`);
    }
  }

  /**
   * Registers a function as the handler of jobs with this name.
   *
   * It receives the input, which is not checked against its type, and the context of the job. What it returns, or its
   * promise resolves to, is the result. An error fails the attempt; a `NonRetryableError` fails the job.
   *
   * @throws {Error} The name has a handler already.
   */
  job<Input = Record<string, unknown>>(name: string, handler: Handler<Input>): this {
    if (this.#handlers.has(name)) throw new Error(`The handler "${name}" is registered twice.`);
    this.#handlers.set(name, handler as Handler);
    return this;
  }

  /**
   * Serves until SIGTERM or SIGINT, or a call of `stop`; then lets running jobs end.
   *
   * @throws {Error} No handler is registered.
   */
  async run(): Promise<void> {
    if (this.#handlers.size === 0) {
      throw new Error('The worker has no handlers: call worker.job("name", handler) before it serves.');
    }
    const outbox = new Outbox();
    const life = new SessionLife(() => performance.now());
    const folders = new SharedFolders();
    // Engine and session call each other; the session is made second, and jobs arrive only after its start.
    const engine: HandlerEngine = new HandlerEngine(this.#handlers, this.#slots, {
      mayBegin: () => life.isCertain && outbox.hasRoom,
      connection: () => session.connection(),
    });
    const [access, notify, identity] = [this.#access, this.#notify, this.#identity()];
    const session: Session = new Session({ access, identity, engine, outbox, life, folders, notify });
    const stop = (): void => this.stop();
    for (const signal of SIGNALS) process.once(signal, stop);
    session.start();
    try {
      while (!this.#isStopped) await this.#stops.wait(2 ** 30);
      await this.#close(session, engine, outbox);
    } finally {
      await folders.close();
      for (const signal of SIGNALS) process.removeListener(signal, stop);
    }
  }

  /** Lets `run` end. */
  stop(): void {
    this.#isStopped = true;
    this.#stops.wake();
  }

  #identity(): Identity {
    const tags = [...this.#handlers.keys()].map((name) => TAG_PREFIX + name);
    return {
      workerName: this.#name,
      version: version(),
      runtimes: { node: process.versions.node },
      labels: this.#labels,
      group: { name: GROUP, tags, slots: this.#slots },
    };
  }

  /** Stops taking jobs, lets running ones end within the stop timeout, delivers results, and says goodbye. */
  async #close(session: Session, engine: HandlerEngine, outbox: Outbox): Promise<void> {
    const seconds = this.#stopMillis / 1000;
    this.#notify("info", `Stopping; running jobs have ${seconds} s to end.`);
    session.stopDemand();
    engine.drain();
    if (!await engine.awaitIdle(this.#stopMillis)) {
      this.#notify("warning", `Some jobs did not end within ${seconds} s; they go back to the queue.`);
      session.jobs.forsake();
      engine.interruptAll();
      await engine.awaitIdle(INTERRUPT_MILLIS_MAX);
    }
    if (session.isConnected && !await outbox.settle(SETTLE_MILLIS_MAX)) {
      this.#notify("warning", "The scheduler has not acknowledged all results; those jobs run again elsewhere.");
    }
    await session.close();
  }
}

function version(): string {
  const file = new URL("../../../package.json", import.meta.url);
  return (JSON.parse(readFileSync(file, "utf8")) as { readonly version: string }).version;
}
