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

const internals = (Deno as unknown as Record<symbol, Internals | undefined>)[
  (Deno as unknown as { readonly internal: symbol }).internal
] ?? {};

/** Deno's own console, or undefined if this Deno hides it. */
export const ConsoleWithPrinter: ConsoleConstructor | undefined = internals.Console;

/** Returns a new variable; if this Deno hides them, one that always holds `undefined`. */
export function newAsyncVariable<T>(): AsyncVariable<T> {
  const Variable = internals.core?.AsyncVariable;
  return Variable ? new Variable<T>() : { enter: () => undefined, get: () => undefined };
}
