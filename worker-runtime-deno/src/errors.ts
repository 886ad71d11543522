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

  constructor(code: number) {
    super(`The script called Deno.exit(${code}).`);
  }
}
