/** Asks the process to run `main` with an input. */
export interface JobMessage {
  readonly type: "job";
  readonly id: string;
  readonly attempt: number;
  readonly run_id: string;
  readonly step: string;
  readonly deadline_ms: number;
  readonly traceparent: string;
  readonly idempotency_key?: string;
  readonly shared_folder?: string;
  readonly input: unknown;
}

/** Asks the process to stop a job that waits or runs. */
export interface CancelMessage {
  readonly type: "cancel";
  readonly id: string;
}

/** Answers a call of a job. */
export interface AnswerMessage {
  readonly type: "answer";
  readonly id: string;
  readonly call: number;
  readonly value?: unknown;
  readonly error?: { readonly name: string; readonly message: string };
}

/** What the host sends, one JSON object a line; docs/reference/process-protocol.md is the contract. */
export type HostMessage = JobMessage | CancelMessage | AnswerMessage;
