import type { Problem } from "#/api/types.ts";
import { words } from "#/words/words.ts";

/** A rejection by the server, in its own words. */
export class ProblemError extends Error {
  override readonly name = "ProblemError";
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.detail);
    this.problem = problem;
  }
}

/** A call that got no answer: the server is down, or the network is. */
export class UnreachableError extends Error {
  override readonly name = "UnreachableError";

  constructor(cause: unknown) {
    super(words.common.unreachable, { cause });
  }
}

/**
 * What a failed call means: browsers say little of a network that fails, and of an answer that is not JSON. Other errors
 * stay as they are.
 */
export function callError(error: unknown): unknown {
  if (error instanceof TypeError) {
    return new UnreachableError(error);
  }
  return error instanceof SyntaxError ? new Error(words.common.notJson, { cause: error }) : error;
}

/** Reads what the server answered instead of a result; a proxy in front may answer with something else than a problem. */
export function problemOf(body: unknown, status: number): ProblemError {
  if (typeof body === "object" && body !== null && "detail" in body && "code" in body) {
    return new ProblemError(body as Problem);
  }
  const detail = words.common.noExplanation(status);
  return new ProblemError({ type: "", title: "", status, detail, code: "no_problem", errors: [], trace_id: "" });
}

/** What the server has against a call; undefined if it failed in another way. */
export function rejectionOf(error: unknown): Problem | undefined {
  return error instanceof ProblemError ? error.problem : undefined;
}

/** Whether the caller has to log in first. */
export function isUnauthenticated(error: unknown): boolean {
  return error instanceof ProblemError && error.problem.status === 401;
}
