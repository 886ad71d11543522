/** Root of the errors that Millrace itself throws. */
export class MillraceError extends Error {
  override readonly name: string = "MillraceError";
  /** Whether another attempt of the job may help. An error of any class with `retryable: false` is final. */
  readonly retryable: boolean = true;
}

/** Thrown by a script to fail its job for good: the retries that the job has left are not used. */
export class NonRetryableError extends MillraceError {
  override readonly name: string = "NonRetryableError";
  override readonly retryable = false;
}

/** The job's input does not fit the parameters of `main`. */
export class InputError extends NonRetryableError {
  override readonly name = "InputError";
}

/** What `main` returned cannot be written as JSON. */
export class ResultError extends NonRetryableError {
  override readonly name = "ResultError";
}

/** The host could not do what the script asked for; the message says why. */
export class CallFailed extends MillraceError {
  override readonly name = "CallFailed";
}

/** Others held the mutex for as long as the job was ready to wait. */
export class LockTimeout extends MillraceError {
  override readonly name = "LockTimeout";
}

/** The reason of a job's `AbortSignal`: the job was canceled or has run out of time. */
export class Canceled extends NonRetryableError {
  override readonly name = "Canceled";

  constructor() {
    super("The job was asked to stop.");
  }
}

/** The script cannot be run as it stands. */
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
