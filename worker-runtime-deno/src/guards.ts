/** Replaces functions with which a script could end, block or outlive the process that it shares with other jobs. */

import { SystemExit } from "./errors.ts";
import { currentScope, type JobScope, noteProgram, type Timer } from "./job_scope.ts";

type StartTimer = (callback: (...args: unknown[]) => void, delay?: number, ...args: unknown[]) => Timer;
type ClearTimer = (timer: Timer | undefined) => void;

/** Installs all guards; `onError` receives uncaught errors, with the job that their code belongs to. */
export function installGuards(onError: (error: unknown, scope: JobScope | undefined) => void): void {
  guardExit();
  guardStdin();
  guardTimers(onError);
  guardListeners();
  guardCommands();
  globalThis.addEventListener("unhandledrejection", (event) => {
    event.preventDefault();
    onError(event.reason, currentScope());
  });
  globalThis.addEventListener("error", (event) => {
    event.preventDefault();
    onError(event.error, currentScope());
  });
  // Without a listener the signal would end the process; the host cancels by a message.
  Deno.addSignalListener("SIGTERM", () => {});
}

/** Makes `Deno.exit` fail the job that calls it at once, even if the script catches its exception. */
function guardExit(): void {
  Deno.exit = (code = Deno.exitCode): never => {
    Deno.exitCode = 0;
    const exit = new SystemExit(code);
    currentScope()?.fail(exit);
    throw exit;
  };
}

/** Shows user code an empty stdin, which only the runtime may read. */
function guardStdin(): void {
  Object.defineProperties(Deno.stdin, {
    read: { value: () => Promise.resolve(null), configurable: true },
    readSync: { value: () => null, configurable: true },
    readable: { get: () => new Blob([]).stream(), configurable: true },
  });
}

/** Ends timers with their job; errors in them fail their job. */
export function guardTimers(onError: (error: unknown, scope: JobScope | undefined) => void): void {
  const guard = (start: StartTimer, fires: "once" | "repeatedly"): StartTimer => (callback, delay, ...args) => {
    const scope = currentScope();
    const timer = start(() => {
      if (fires === "once") scope?.timers.delete(timer);
      try {
        Reflect.apply(callback, globalThis, args);
      } catch (error) {
        onError(error, scope);
      }
    }, delay);
    // Code that an ended job has left behind gets a timer that never fires.
    if (scope?.isEnded) clearTimeout(timer);
    else scope?.timers.add(timer);
    return timer;
  };
  const clear = (stop: ClearTimer): ClearTimer => (timer) => {
    if (timer !== undefined) currentScope()?.timers.delete(timer);
    stop(timer);
  };
  Object.assign(globalThis, {
    setTimeout: guard(globalThis.setTimeout, "once"),
    setInterval: guard(globalThis.setInterval, "repeatedly"),
    clearTimeout: clear(globalThis.clearTimeout),
    clearInterval: clear(globalThis.clearInterval),
  });
}

/** Ends listeners of the process, such as of errors that nobody catches, with the job that added them. */
export function guardListeners(): void {
  const { addEventListener, removeEventListener } = globalThis;
  globalThis.addEventListener = (...args: Parameters<typeof addEventListener>): void => {
    Reflect.apply(addEventListener, globalThis, args);
    const [type, listener, options] = args;
    currentScope()?.listeners.push(() => removeEventListener.call(globalThis, type, listener, options));
  };
}

/** Ends processes with their job, and keeps them from reading the host's messages on stdin. */
function guardCommands(): void {
  const Command = Deno.Command;
  Deno.Command = class extends Command {
    readonly #name: string;

    constructor(command: string | URL, options: Deno.CommandOptions = {}) {
      const stdin = options.stdin === "piped" ? "piped" : "null";
      super(command, { ...options, stdin });
      this.#name = String(command);
    }

    override output(): Promise<Deno.CommandOutput> {
      noteProgram();
      return super.output();
    }

    override outputSync(): Deno.CommandOutput {
      noteProgram();
      return super.outputSync();
    }

    override spawn(): Deno.ChildProcess {
      noteProgram();
      const scope = currentScope();
      const child = super.spawn();
      scope?.processes.set(child, this.#name);
      const forget = (): void => void scope?.processes.delete(child);
      child.status.then(forget, forget);
      return child;
    }
  };
}
