/**
 * Deno internals of the pinned version that the runtime uses. Each is optional. With another Deno, printed text reaches
 * the host as raw bytes on stderr, and an error in code that a job left behind fails the running job.
 */

/** Variable whose value follows the chain of calls and awaits. */
export interface AsyncVariable<T> {
  enter(value: T): unknown;
  get(): T | undefined;
}

/** Formats like Deno's `console`, and passes each text to `print`; levels from 2 on are errors and warnings. */
export type ConsoleConstructor = new (print: (text: string, level: number) => void) => Console;

interface Internals {
  readonly Console?: ConsoleConstructor;
  readonly core?: { readonly AsyncVariable?: new <T>() => AsyncVariable<T> };
}

/** Absent in Bun, which has no `Deno`. */
const deno = (globalThis as unknown as { readonly Deno?: Record<symbol, Internals | undefined> }).Deno;

const internals = deno?.[(deno as unknown as { readonly internal: symbol }).internal] ?? {};

/** Deno's own console, or undefined if this Deno hides it. */
export const ConsoleWithPrinter: ConsoleConstructor | undefined = internals.Console;

interface AsyncLocalStorage<T> {
  enterWith(value: T): void;
  getStore(): T | undefined;
}

interface NodeProcess {
  getBuiltinModule(name: "node:async_hooks"): { readonly AsyncLocalStorage: new <T>() => AsyncLocalStorage<T> };
}

/** Returns a new variable; if this Deno hides them, one that always holds `undefined`. Bun has those of Node.js. */
export function newAsyncVariable<T>(): AsyncVariable<T> {
  if (deno === undefined) {
    const { process } = globalThis as unknown as { readonly process: NodeProcess };
    const storage = new (process.getBuiltinModule("node:async_hooks").AsyncLocalStorage)<T>();
    return { enter: (value) => storage.enterWith(value), get: () => storage.getStore() };
  }
  const Variable = internals.core?.AsyncVariable;
  return Variable ? new Variable<T>() : { enter: () => undefined, get: () => undefined };
}
