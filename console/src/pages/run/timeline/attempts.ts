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

/**
 * The attempts at each job that had several or waits for its second one, by the job's id and in their order.
 *
 * @param retried the present attempts at jobs by their ids
 */
export function attemptsOf(
  spans: readonly Span[],
  retried: ReadonlyMap<string, number>,
): ReadonlyMap<string, readonly Attempt[]> {
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
    const [first] = attempts;
    const isAwaited = first?.hasFailed === true && (retried.get(job) ?? 1) > 1;
    if (attempts.length === 1 && first?.number === 1 && !isAwaited) {
      found.delete(job);
    }
    attempts.sort((one, other) => one.number - other.number);
  }
  return found;
}

/** When the first of these attempts began, in milliseconds since 1970; undefined if there are none. */
export function firstAttempt(known: ReadonlyMap<string, readonly Attempt[]>): number | undefined {
  return [...known.values()]
    .flat()
    .reduce<number | undefined>(
      (first, { begin }) => (first === undefined || begin < first ? begin : first),
      undefined,
    );
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
