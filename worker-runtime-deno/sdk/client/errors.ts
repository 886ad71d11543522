/** Errors of calls: one class for each kind. `ClientError` is the root of all. */

import { Code } from "@connectrpc/connect";
import { MillraceError } from "../../src/errors.ts";
import { type CallStatus, readStatus, type Violation } from "../access/status.ts";
import type { Run } from "./models.ts";

/** A call failed. The message says what happened, where, and what to do. */
export class ClientError extends MillraceError {
  override readonly name: string = "ClientError";
  /** Name of the call, such as `SubmitRun`. */
  readonly call: string;
  /** Stable word for programs, such as `RUN_NOT_FOUND`; empty if the scheduler gave none. */
  readonly reason: string;
  /** Status of gRPC. */
  readonly code: Code;
  /** Broken rules of the request. */
  readonly violations: readonly Violation[];
  /** Seconds after which the scheduler wants to be asked again; undefined if it said nothing. */
  readonly retryAfter: number | undefined;

  constructor(status: CallStatus, call: string, target: string, remedy: string) {
    const more = status.violations.slice(1).map(({ field, description }) => `\n  ${field}: ${description}`);
    super(`${call} at ${target}: ${status.message} ${remedy}${more.join("")}`);
    this.call = call;
    this.reason = status.reason;
    this.code = status.code;
    this.violations = status.violations;
    this.retryAfter = status.retryAfter;
  }

  /**
   * Whether the same call may succeed later.
   *
   * A lack of resources is temporary only if the scheduler names a delay. An internal error without a reason comes from
   * the connection, and not from the scheduler.
   */
  get mayHelp(): boolean {
    return false;
  }
}

/** The request breaks a rule of its fields; `violations` lists them. */
export class InvalidRequest extends ClientError {
  override readonly name: string = "InvalidRequest";
}

/** The definition of a flow has problems; `violations` lists them with their places. */
export class InvalidFlow extends InvalidRequest {
  override readonly name = "InvalidFlow";
}

/** What the call names does not exist, or the caller may not know of it. */
export class NotFound extends ClientError {
  override readonly name = "NotFound";
}

/** Nobody knows the caller: the token is missing, unknown, expired or revoked. */
export class Unauthenticated extends ClientError {
  override readonly name = "Unauthenticated";
}

/** The caller may not do this. */
export class PermissionDenied extends ClientError {
  override readonly name = "PermissionDenied";
}

/** The request id belongs to an earlier request with other content. */
export class RequestIdReused extends ClientError {
  override readonly name = "RequestIdReused";
}

/** The state of the run, or of what else the call names, does not allow it. */
export class StateUnsuitable extends ClientError {
  override readonly name = "StateUnsuitable";
}

/** The scheduler accepts no more work for now, or a quota is used up; retries did not help. */
export class Overloaded extends ClientError {
  override readonly name = "Overloaded";

  override get mayHelp(): boolean {
    return this.retryAfter !== undefined;
  }
}

/** The scheduler could not be reached; retries did not help. The call may have taken effect. */
export class Unavailable extends ClientError {
  override readonly name = "Unavailable";

  override get mayHelp(): boolean {
    return true;
  }
}

/** There was no answer in time. The call may have taken effect. */
export class TimedOut extends ClientError {
  override readonly name = "TimedOut";

  override get mayHelp(): boolean {
    return true;
  }
}

/** The scheduler failed, or does not know the call. */
export class ServerFailed extends ClientError {
  override readonly name = "ServerFailed";

  override get mayHelp(): boolean {
    return this.reason === "" && [Code.Internal, Code.Unknown, Code.Canceled].includes(this.code);
  }
}

/** A run whose result was asked for has failed. */
export class RunFailed extends MillraceError {
  override readonly name: string = "RunFailed";
  readonly run: Run;

  constructor(run: Run) {
    const why = run.error === undefined ? "The scheduler names no error." : `${run.error.name}: ${run.error.message}`;
    super(`The run ${run.id} of ${run.name} ${run.state}. ${why}`);
    this.run = run;
  }
}

/** A run whose result was asked for was canceled. */
export class RunCanceled extends RunFailed {
  override readonly name = "RunCanceled";
}

type Kind = typeof ClientError;

const BY_CODE: ReadonlyMap<Code, readonly [Kind, string]> = new Map<Code, readonly [Kind, string]>([
  [Code.InvalidArgument, [InvalidRequest, "Correct the named fields."]],
  [Code.OutOfRange, [InvalidRequest, "Correct the named fields."]],
  [Code.NotFound, [NotFound, "Check the name and the workspace."]],
  [Code.Unauthenticated, [Unauthenticated, "Log in with ./millrace login, or set MILLRACE_TOKEN."]],
  [Code.PermissionDenied, [PermissionDenied, "Ask an administrator of the workspace for the role."]],
  [Code.AlreadyExists, [RequestIdReused, "Use a request id of its own for each request."]],
  [Code.FailedPrecondition, [StateUnsuitable, "Look at its present state first."]],
  [Code.Aborted, [StateUnsuitable, "Look at its present state first."]],
  [Code.ResourceExhausted, [Overloaded, "Send less at once, or try again later."]],
  [Code.Unavailable, [
    Unavailable,
    "Check the address and whether the scheduler runs; the same call with the same request id is safe to repeat.",
  ]],
  [Code.DeadlineExceeded, [TimedOut, "Allow more time, or repeat the call with the same request id."]],
]);

const SERVER_FAILED = [
  ServerFailed,
  "Read the log of the scheduler, and compare its version with that of this client.",
] as const;

/** Returns the error that a failed call stands for, with what the scheduler says in its trailers. */
export function errorOf(failure: unknown, call: string, target: string): ClientError {
  return errorOfStatus(readStatus(failure), call, target);
}

/** Returns the error for a status. */
export function errorOfStatus(status: CallStatus, call: string, target: string): ClientError {
  if (status.reason === "INVALID_FLOW") return new InvalidFlow(status, call, target, "Correct the definition.");
  const [Kind, remedy] = BY_CODE.get(status.code) ?? SERVER_FAILED;
  return new Kind(status, call, target, remedy);
}
