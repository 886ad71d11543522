/** The job that is running. `main` receives it as its last parameter, if that is named `ctx`. */
export interface Context {
  /** Id of the job. */
  readonly jobId: string;
  /** Id of the run that the job belongs to. */
  readonly runId: string;
  /** Key of the flow's step, such as `count[3]`; empty where the script runs without a flow. */
  readonly step: string;
  /** 1 for the first attempt. */
  readonly attempt: number;
  /** W3C trace context of the job; empty where nothing traces it. */
  readonly traceparent: string;
  /** When this attempt runs out of time. */
  readonly deadline: Date;
  /** Aborted when the job is canceled or runs out of time: hand it to whatever waits. */
  readonly signal: AbortSignal;
  /**
   * Shows any JSON value to the people who watch the run.
   *
   * @throws {ResultError} The value cannot be written as JSON.
   */
  progress(value: unknown): void;
}
