/** Puts the secrets of a job into the input of its handler. */

import { Code } from "@connectrpc/connect";
import { MillraceError } from "../../src/errors.ts";
import { readStatus } from "../access/status.ts";
import type { ResolvedValue } from "../proto/millrace/worker/v1/job_api_service_pb.ts";
import type { JobApi } from "./job_api.ts";
import type { LeasedJob } from "./leased_job.ts";
import { Masks, TooManySpellings } from "./masks.ts";

const UNAVAILABLE_REASON = "SECRET_UNAVAILABLE";

/** The secrets of the job could not be resolved. */
class SecretUnavailable extends MillraceError {
  override readonly name = "SecretUnavailable";
  override readonly retryable: boolean;

  constructor(message: string, retryable: boolean) {
    super(message);
    this.retryable = retryable;
  }
}

/** The worker no longer holds the lease. */
class LeaseLost extends MillraceError {
  override readonly name = "LeaseLost";
}

/**
 * Asks the scheduler for the values, masks them in what the job sends from here on, and returns the filled input.
 *
 * @throws {MillraceError} They cannot be resolved or masked, or the lease is lost.
 */
export async function fillSecrets(job: LeasedJob, api: JobApi, input: unknown): Promise<unknown> {
  const answer = await api.resolveSecrets().catch((failure: unknown) => {
    throw refused(failure);
  });
  try {
    job.masks = new Masks(answer.masked);
    return fill(input, answer.values);
  } catch (error) {
    // The message of any other error might have a value in it.
    const why = error instanceof TooManySpellings ? error.message : "the worker cannot put them into the input";
    throw new SecretUnavailable(`The secrets of the job cannot be used: ${why}.`, false);
  }
}

/**
 * Returns the input with each value in its place.
 *
 * @throws {Error} A pointer leads nowhere.
 */
function fill(input: unknown, values: readonly ResolvedValue[]): unknown {
  const root: Record<string, unknown> = { "": input };
  for (const { pointer, value } of values) {
    const keys = pointer.split("/").map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
    const last = keys.pop() ?? "";
    let place: unknown = root;
    for (const key of keys) place = membersOf(place, key)[key];
    membersOf(place, last)[last] = JSON.parse(new TextDecoder().decode(value));
  }
  return root[""];
}

function membersOf(value: unknown, key: string): Record<string, unknown> {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) {
    throw new Error("A pointer leads nowhere.");
  }
  return value as Record<string, unknown>;
}

function refused(failure: unknown): MillraceError {
  const { code, reason, message } = readStatus(failure);
  switch (code) {
    case Code.FailedPrecondition:
      return reason === UNAVAILABLE_REASON ? new SecretUnavailable(message, false) : new LeaseLost(message);
    case Code.InvalidArgument:
    case Code.PermissionDenied:
      return new SecretUnavailable(`The scheduler refuses the secrets of the job: ${message}`, false);
    default:
      return new SecretUnavailable(`The secrets of the job could not be resolved: ${message}`, true);
  }
}
