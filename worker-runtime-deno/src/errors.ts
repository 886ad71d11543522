/** Root of the errors that Millrace itself throws. */
export class MillraceError extends Error {
  override readonly name: string = "MillraceError";
  /** Whether another attempt of the job may succeed. An error of any class with `retryable: false` is final. */
  readonly retryable: boolean = true;
}

/** Thrown by a script to fail its job permanently: the job's remaining retries are not used. */
export class NonRetryableError extends MillraceError {
  override readonly name: string = "NonRetryableError";
  override readonly retryable = false;
}

/** The job's input does not fit the parameters of `main`. */
export class InputError extends NonRetryableError {
  override readonly name = "InputError";
}

/** The return value of `main` cannot be written as JSON. */
export class ResultError extends NonRetryableError {
  override readonly name = "ResultError";
}

/** The host could not perform a call of the script; the message says why. */
export class CallFailed extends MillraceError {
  override readonly name = "CallFailed";
}

/** Others held the mutex for as long as the job was willing to wait. */
export class LockTimeout extends MillraceError {
  override readonly name = "LockTimeout";
}

/** A run has not ended within the time for which the job was willing to wait. */
export class RunTimeout extends MillraceError {
  override readonly name = "RunTimeout";
}

/** A run that the job has waited for has failed or was canceled. */
export class RunFailed extends MillraceError {
  override readonly name = "RunFailed";
  /** Id of the run. */
  readonly runId: string;
  readonly state: string;
  /** Its error, if it has one. */
  readonly error: { readonly name: string; readonly message: string } | undefined;

  constructor(run: {
    readonly runId: string;
    readonly name: string;
    readonly state: string;
    readonly error?: { readonly name: string; readonly message: string };
  }) {
    const how = run.state === "canceled" ? "was canceled" : "has failed";
    const reason = run.error === undefined ? "" : ` ${run.error.name}: ${run.error.message}`;
    super(`Run ${run.runId} of ${run.name} ${how}.${reason}`);
    this.runId = run.runId;
    this.state = run.state;
    this.error = run.error;
  }
}

/** The reason of a job's `AbortSignal`: the job was canceled or timed out. */
export class Canceled extends NonRetryableError {
  override readonly name = "Canceled";

  constructor() {
    super("The job was asked to stop.");
  }
}

/** The script cannot be run. */
export class LoadError extends MillraceError {
  override readonly name = "LoadError";
}

/** User code called `Deno.exit` or `process.exit`. */
export class SystemExit extends MillraceError {
  override readonly name = "SystemExit";

  constructor(code: number, called = "Deno.exit") {
    super(`The script called ${called}(${code}).`);
  }
}
