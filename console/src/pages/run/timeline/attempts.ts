import type { Span } from "#/api/types.ts";

/** An attempt at a job. */
export interface Attempt {
  /** From 1. */
  readonly number: number;
  /** Milliseconds since 1970. */
  readonly begin: number;
  /** Absent while it lasts. */
  readonly end: number | undefined;
  readonly hasFailed: boolean;
  /** What went wrong; empty if nothing did, or if that was erased. */
  readonly message: string;
  readonly worker: string;
}

/** The attempts at each job that had several, by the job's id and in their order. */
export function attemptsOf(spans: readonly Span[]): ReadonlyMap<string, readonly Attempt[]> {
  const found = new Map<string, Attempt[]>();
  for (const span of spans) {
    const { "millrace.job.id": job, "millrace.attempt": number } = span.attributes ?? {};
    // Spans of scripts may have any attributes.
    if (span.scope === undefined && typeof job === "string" && typeof number === "number" && span.start_time) {
      const attempts = found.get(job) ?? [];
      attempts.push(attemptOf(span, number, span.start_time));
      found.set(job, attempts);
    }
  }
  for (const [job, attempts] of found) {
    if (attempts.length === 1 && attempts[0]?.number === 1) {
      found.delete(job);
    }
    attempts.sort((one, other) => one.number - other.number);
  }
  return found;
}

/** Whether all attempts before the present ones are there. */
export function hasAll(known: ReadonlyMap<string, readonly Attempt[]>, retried: ReadonlyMap<string, number>): boolean {
  return [...retried].every(
    ([job, present]) => (known.get(job) ?? []).filter(({ number }) => number < present).length >= present - 1,
  );
}

function attemptOf(span: Span, number: number, begin: string): Attempt {
  const { "millrace.worker.name": worker } = span.attributes ?? {};
  return {
    number,
    begin: Date.parse(begin),
    end: span.end_time === undefined ? undefined : Date.parse(span.end_time),
    hasFailed: span.status === "error",
    message: span.status_message ?? "",
    worker: typeof worker === "string" ? worker : "",
  };
}
