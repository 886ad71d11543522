/** Asks the process to run `main` with an input. */
export interface JobMessage {
  readonly type: "job";
  readonly id: string;
  readonly attempt: number;
  readonly run_id: string;
  readonly step: string;
  /** Time left for this attempt in milliseconds; 0 means no limit. */
  readonly deadline_ms: number;
  readonly traceparent: string;
  readonly tracestate?: string;
  readonly idempotency_key?: string;
  readonly shared_folder?: string;
  /** Whether the host takes spans of the job. */
  readonly spans?: boolean;
  readonly input: unknown;
}

/** Asks the process to stop a waiting or running job. */
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

/** Messages of the host, one JSON object per line, as docs/reference/process-protocol.md specifies. */
export type HostMessage = JobMessage | CancelMessage | AnswerMessage;
