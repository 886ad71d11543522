/** The running job, for code that `main` did not pass its context to. */

import type { Context } from "./context.ts";
import { currentScope } from "./job_scope.ts";

const contexts = new WeakMap<object, Context>();

/** Names the context of a job, by its scope. For the process loop only. */
export function setContext(scope: object, context: Context): void {
  contexts.set(scope, context);
}

/**
 * Returns the running job, wherever its code runs: after an `await`, in a timer, or in a function that `main` calls.
 *
 * @example
 * ```ts
 * import { current } from "millrace";
 *
 * current().logger.info("charged", { order: "A-17" });
 * ```
 *
 * @throws {Error} No job is running, for example while the script is being loaded, or the job has ended.
 */
export function current(): Context {
  const scope = currentScope();
  const context = scope === undefined || scope.isEnded ? undefined : contexts.get(scope);
  if (context === undefined) {
    throw new Error(
      "No job is running here: call current() from main or from what main calls, and not while the script is being loaded.",
    );
  }
  return context;
}
