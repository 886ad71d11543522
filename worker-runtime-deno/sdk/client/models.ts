/** What calls take and return: plain values. */

/** What to run. A path means its current version. */
export type Target =
  | { readonly flow: string }
  | { readonly flowHash: string }
  | { readonly script: string }
  | { readonly scriptHash: string }
  | { readonly handler: string };

/** Input by parameter: JSON values. */
export type Input = Readonly<Record<string, unknown>>;

/** What can be asked for with a run. */
export interface RunOptions {
  /** Name of this request; with the same id and input, later calls return the same run. By default a new one. */
  readonly requestId?: string;
  /** Tag that routes the job to workers. */
  readonly tag?: string;
  /** -1000 to 1000; jobs with a higher priority run earlier. */
  readonly priority?: number;
  /** Time before which the job does not run. */
  readonly runAfter?: Date;
  /** Longest time in seconds that one attempt may run. */
  readonly attemptTimeout?: number;
  /** W3C trace context of the caller; by default that of the present span of OpenTelemetry, if any. */
  readonly traceparent?: string;
  /** W3C `tracestate` that goes with `traceparent`; ignored without one. */
  readonly tracestate?: string;
  /** Values that replace values of the flow's environment. */
  readonly env?: Input;
  /** Retries after a failed attempt, and seconds before the first. */
  readonly retry?: { readonly maxRetries: number; readonly delay?: number; readonly multiplier?: number };
}

/** How long to wait. */
export interface WaitOptions {
  /** Seconds until `TimedOut` is thrown; by default as long as it takes. The run goes on. */
  readonly timeout?: number;
  /** Ends waiting when it is aborted. The run goes on. */
  readonly signal?: AbortSignal;
}

/** What a caller that follows a run wants. */
export interface FollowOptions extends WaitOptions {
  /** Whether pieces of its log are among the events; by default they are. */
  readonly logs?: boolean;
  /**
   * Whether the steps inside loops of more than 20 iterations are left out. The step of such a loop then has `iterations`,
   * and is an event again as they change.
   */
  readonly foldLoops?: boolean;
}

/** Which steps of a run are listed. */
export interface StepFilter {
  /**
   * Whether the steps inside loops of more than 20 iterations are left out. The step of such a loop then has `iterations`.
   */
  readonly foldLoops?: boolean;
  /** Key of an iteration, such as `count[3]`, for the steps inside it alone, which folds loops inside it. */
  readonly iteration?: string;
}

/** Which iterations of a loop are listed. */
export interface IterationFilter {
  /** Only these states; by default all. */
  readonly states?: readonly StepState[];
  /** Number of the first iteration. */
  readonly from?: number;
}

/** Who asks for an operation, and why. */
export interface Note {
  readonly actor?: string;
  readonly reason?: string;
  readonly requestId?: string;
}

/** What is different about the new run of a rerun. */
export interface RerunOptions {
  /** Version of the flow that the new run executes; by default that of the old run. */
  readonly flowHash?: string;
  /** Input of the step at which the new run begins, in place of the one that the flow computes. */
  readonly stepInput?: Input;
}

/** Runs to which an operation on many runs applies: those with these ids, or those that match the rest. */
export interface RunSelection {
  /** Ids of runs, whatever their state. */
  readonly runIds?: readonly string[];
  /** Path of their flow. */
  readonly flow?: string;
  /** Their states; by default those for which the operation is made. */
  readonly states?: readonly RunState[];
  /** Accepted then or later. */
  readonly createdFrom?: Date;
  /** Accepted before. */
  readonly createdBefore?: Date;
  /** Name of their flow, script or handler; not together with `flow`. */
  readonly name?: string;
  /** Conditions on their input, such as `customer.id=7` or `name~smith`, all of which must hold. */
  readonly withInput?: readonly string[];
  /** Conditions on their output, so that they have ended. */
  readonly withOutput?: readonly string[];
  /** Tag of one of their jobs. */
  readonly tag?: string;
}

/** An operation on many runs, which the schedulers work off in the background. */
export interface BulkOperation {
  readonly id: string;
  /** Number of its runs. */
  readonly total: number;
  /** Number of runs to which it was applied. */
  readonly done: number;
  /** Number of runs that refused it. */
  readonly failed: number;
  /** Number of runs that were left out because it was canceled. */
  readonly leftOut: number;
  /** When the last of its runs was done. */
  readonly endTime?: Date;
}

/** What an operation on many runs did to one of them. */
export interface BulkRun {
  readonly runId: string;
  readonly state: "waiting" | "done" | "failed" | "left_out";
  /** The run that a rerun has started. */
  readonly newRunId?: string;
  /** Why the run refused the operation. */
  readonly error?: string;
}

/** State of a run. */
export type RunState = "queued" | "running" | "succeeded" | "failed" | "canceled";

/** Runs by what starts them: `preparation` has those that deployments start, to choose packages and read signatures. */
export type RunKind = "work" | "preparation" | "all";

/** State of a step. */
export type StepState = RunState | "skipped";

/** Why a run or a step failed. */
export interface RunError {
  /** Type of the error, such as `TypeError` or `TimedOut`. */
  readonly name: string;
  readonly message: string;
  /** Stack of user code; may be empty. */
  readonly stack: string;
  /** Whether another attempt may help. */
  readonly retryable: boolean;
}

/** A run as it stood when the call returned. */
export interface Run {
  readonly type: "run";
  readonly id: string;
  readonly workspace: string;
  /** Path of the script or flow, or name of the handler. */
  readonly name: string;
  readonly state: RunState;
  /** Input as JSON value; undefined in lists. */
  readonly input: unknown;
  /** Result as JSON value; undefined unless it has succeeded, and in lists. */
  readonly output: unknown;
  readonly error: RunError | undefined;
  readonly createTime: Date | undefined;
  readonly startTime: Date | undefined;
  readonly endTime: Date | undefined;
  /** Whether no further job goes to a worker. */
  readonly isPaused: boolean;
  /** Why it has not started, as a full sentence; empty once it has. */
  readonly waitReason: string;
  /** What the code of a running script or handler has told last about how far it is; undefined in lists and for flows. */
  readonly progress: unknown;
}

/** A step of a run. */
export interface Step {
  readonly type: "step";
  /** Key within the run, such as `count[3].tokenize`; empty for the root. */
  readonly key: string;
  readonly jobId: string;
  readonly state: StepState;
  /** Number of the present or last attempt, from 1. */
  readonly attempt: number;
  readonly error: RunError | undefined;
  readonly createTime: Date | undefined;
  readonly startTime: Date | undefined;
  readonly endTime: Date | undefined;
  /** Name of the worker that ran it. */
  readonly worker: string;
  /** What its code has told last about how far it is; undefined unless it runs and has told something. */
  readonly progress: unknown;
  /** Iterations of the loop by their states, if its steps were left out; undefined for other steps. */
  readonly iterations: IterationCounts | undefined;
}

/** Number of iterations of a loop in each state. */
export interface IterationCounts {
  /** Number of iterations that the loop will have at most; 0 if that is not known. */
  readonly total: number;
  readonly queued: number;
  readonly running: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly canceled: number;
  /** Iterations of which every step was skipped. */
  readonly skipped: number;
  /** Whether only iterations in progress are counted, because the run has too many others. */
  readonly isOnlyLive: boolean;
}

/** An iteration of a loop. */
export interface Iteration {
  /** Its number, from 0. */
  readonly number: number;
  /** Its key, such as `count[3]`. */
  readonly key: string;
  /** It is running as long as one of its steps is, and has failed if one has. */
  readonly state: StepState;
  readonly createTime: Date | undefined;
  readonly startTime: Date | undefined;
  readonly endTime: Date | undefined;
}

/** A piece of the output of a job: several lines, or part of one. */
export interface LogChunk {
  readonly type: "log";
  readonly jobId: string;
  /** Key of the step; empty for the root. */
  readonly step: string;
  readonly attempt: number;
  readonly stream: "stdout" | "stderr" | "system" | "trace";
  readonly text: string;
  readonly time: Date | undefined;
  /** Place in the order of arrival. */
  readonly position: bigint;
}

/** A run to start. */
export interface RunSpec {
  readonly target: Target;
  readonly input?: Input;
  /** Further wishes; a request id among them is ignored, as all runs of a call share one. */
  readonly options?: RunOptions;
}

/** A step that waits now. */
export interface Wait {
  /** Key of the step. */
  readonly step: string;
  readonly kind: "timer" | "signal" | "approval" | "human";
  /** Name of the signal. */
  readonly name: string;
  /** Number of events that must arrive. */
  readonly required: number;
  /** Number of events that have arrived. */
  readonly received: number;
  /** People who have approved so far. */
  readonly approvers: readonly string[];
  /** Title, description, form and assignees; undefined if there are none. */
  readonly details: unknown;
  readonly createTime: Date | undefined;
  /** Time when it ends by itself. */
  readonly endTime: Date | undefined;
}

/** Who answers a step that waits for people. */
export interface AnswerNote extends Omit<Note, "reason"> {
  /** Key of the step; may be left out if only one waits. */
  readonly step?: string;
}

/** Tokens with which one person answers a step. Whoever has a token can use it. */
export interface WaitLink {
  readonly actor: string;
  /** Approves or completes. */
  readonly acceptToken: string;
  readonly denyToken: string;
  readonly expireTime: Date | undefined;
}

/** The definition of a flow with the scripts that it names. */
export interface FlowSource {
  readonly definition: string;
  /** Its name, for messages and to tell JSON from YAML; `flow.yaml` by default. */
  readonly fileName?: string;
  /** Path of the flow; by default the name in the definition. */
  readonly path?: string;
  /** Scripts by the relative paths that the definition names; others must be deployed already. */
  readonly files?: Readonly<Record<string, string>>;
}

/** A version of a script or flow that was stored. */
export interface Deployed {
  /** Path by which callers start it. */
  readonly path: string;
  /** Hash of the version. */
  readonly hash: string;
  /** Parts of a flow's definition that have no effect. */
  readonly warnings: readonly string[];
}

/** What happens in a run. */
export type RunEvent = Run | Step | LogChunk;

/** Which runs a search finds. */
export interface RunFilter {
  /** Only these states; by default all. */
  readonly states?: readonly RunState[];
  /** Only runs of this flow, script or handler. */
  readonly name?: string;
  /** Only runs accepted at this time or later. */
  readonly createdFrom?: Date;
  /** Only runs accepted before this time. */
  readonly createdBefore?: Date;
  /** Only runs whose input meets all these conditions, such as `customer.id=7` or `name~smith`. */
  readonly withInput?: readonly string[];
  /** The same for outputs. */
  readonly withOutput?: readonly string[];
  /** Only runs of this kind; by default work, or all if there is a name. */
  readonly kind?: RunKind;
  /** Only runs of which a job has this tag. */
  readonly tag?: string;
}

/** Whether a run in this state changes no more, unless somebody retries it. */
export function isEnd(state: RunState): boolean {
  return state === "succeeded" || state === "failed" || state === "canceled";
}
