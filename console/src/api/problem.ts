import type { Problem } from "#/api/types.ts";

/** A rejection by the server, in its own words. */
export class ProblemError extends Error {
  override readonly name = "ProblemError";
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.detail);
    this.problem = problem;
  }
}

/** Reads what the server answered instead of a result; a proxy in front may answer with something else than a problem. */
export function problemOf(body: unknown, status: number): ProblemError {
  if (typeof body === "object" && body !== null && "detail" in body && "code" in body) {
    return new ProblemError(body as Problem);
  }
  const detail = `The server answered with status ${status} and no explanation. A proxy in front of it may have done so.`;
  return new ProblemError({ type: "", title: "", status, detail, code: "no_problem", errors: [], trace_id: "" });
}

/** Whether the caller has to log in first. */
export function isUnauthenticated(error: unknown): boolean {
  return error instanceof ProblemError && error.problem.status === 401;
}
