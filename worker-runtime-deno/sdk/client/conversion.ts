/** Makes messages of values, and values of messages. */

import type { MessageInitShape } from "@bufbuild/protobuf";
import { durationFromMs, type Timestamp, timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { encodeValue } from "../../src/results.ts";
import type { JobError } from "../proto/millrace/common/v1/error_pb.ts";
import type { DeployFlowResponse } from "../proto/millrace/flow/v1/flow_service_pb.ts";
import { type LogChunk as LogMessage, LogChunk_Stream as Stream } from "../proto/millrace/log/v1/log_pb.ts";
import type { Iteration as IterationMessage } from "../proto/millrace/run/v1/iteration_pb.ts";
import {
  type BulkOperation as BulkMessage,
  type BulkOperationRun as BulkRunMessage,
  BulkOperationRun_State,
} from "../proto/millrace/operation/v1/bulk_operation_pb.ts";
import type { StartBulkOperationRequestSchema } from "../proto/millrace/operation/v1/bulk_operation_service_pb.ts";
import {
  type Run as RunMessage,
  Run_State,
  type RunSpecSchema,
  type RunTargetSchema,
} from "../proto/millrace/run/v1/run_pb.ts";
import { ListRunsRequest_Kind, type WatchRunResponse } from "../proto/millrace/run/v1/run_service_pb.ts";
import {
  type IterationCounts as CountsMessage,
  type Step as StepMessage,
  Step_State,
} from "../proto/millrace/run/v1/step_pb.ts";
import type { WaitLink as WaitLinkMessage } from "../proto/millrace/signal/v1/signal_service_pb.ts";
import { type Wait as WaitMessage, Wait_Kind } from "../proto/millrace/signal/v1/wait_pb.ts";
import type {
  BulkOperation,
  BulkRun,
  Deployed,
  Input,
  Iteration,
  IterationCounts,
  LogChunk,
  Run,
  RunError,
  RunEvent,
  RunKind,
  RunOptions,
  RunSelection,
  RunState,
  Step,
  StepState,
  Target,
  Wait,
  WaitLink,
} from "./models.ts";
import { currentTraceparent, currentTracestate } from "./trace.ts";

/**
 * Returns a value as JSON.
 *
 * @throws {ResultError} The value cannot be written as JSON; the message names the place.
 */
export function jsonBytes(value: unknown, name: string): Uint8Array {
  return new TextEncoder().encode(encodeValue(value, name));
}

/** Returns a JSON value; undefined for nothing. */
export function jsonValue(bytes: Uint8Array): unknown {
  return bytes.length === 0 ? undefined : JSON.parse(new TextDecoder().decode(bytes));
}

/** Returns the message of a run to start. */
export function specOf(
  target: Target,
  input: Input | undefined,
  options: RunOptions,
): MessageInitShape<typeof RunSpecSchema> {
  const { runAfter, attemptTimeout, retry, env } = options;
  const { maxRetries = 0, delay = 0, multiplier = 1 } = retry ?? {};
  return {
    target: targetOf(target),
    input: input === undefined ? new Uint8Array() : jsonBytes(input, "input"),
    tag: options.tag ?? "",
    priority: options.priority ?? 0,
    traceparent: options.traceparent ?? currentTraceparent(),
    tracestate: options.traceparent === undefined ? currentTracestate() : options.tracestate ?? "",
    ...(runAfter === undefined ? {} : { runAfter: timestampFromDate(runAfter) }),
    ...(attemptTimeout === undefined ? {} : { timeout: durationFromMs(attemptTimeout * 1000) }),
    ...(retry === undefined ? {} : { retry: { maxRetries, delay: durationFromMs(delay * 1000), multiplier } }),
    ...(env === undefined ? {} : { env: jsonBytes(env, "env") }),
  };
}

function targetOf(target: Target): MessageInitShape<typeof RunTargetSchema> {
  if ("flow" in target) return { target: { case: "flowPath", value: target.flow } };
  if ("flowHash" in target) return { target: { case: "flowHash", value: target.flowHash } };
  if ("script" in target) return { target: { case: "scriptPath", value: target.script } };
  if ("scriptHash" in target) return { target: { case: "scriptHash", value: target.scriptHash } };
  return { target: { case: "handler", value: target.handler } };
}

/** Returns a state of runs as the scheduler numbers it. */
export function stateNumber(state: RunState): Run_State {
  return Run_State[state.toUpperCase() as keyof typeof Run_State];
}

/** Returns the number of a state of a step. */
export function stepStateNumber(state: StepState): Step_State {
  return Step_State[state.toUpperCase() as keyof typeof Step_State];
}

/** Returns the number of a kind of runs. */
export function kindNumber(kind: RunKind): ListRunsRequest_Kind {
  return ListRunsRequest_Kind[kind.toUpperCase() as keyof typeof ListRunsRequest_Kind];
}

/** Returns the run of a message. */
export function runOf(message: RunMessage | undefined): Run {
  if (message === undefined) throw new TypeError("The scheduler has answered without a run.");
  return {
    type: "run",
    id: message.id,
    workspace: message.workspace,
    name: message.name,
    state: Run_State[message.state].toLowerCase() as RunState,
    input: jsonValue(message.input),
    output: jsonValue(message.output),
    error: errorOf(message.error),
    createTime: timeOf(message.createTime),
    startTime: timeOf(message.startTime),
    endTime: timeOf(message.endTime),
    isPaused: message.paused,
    waitReason: message.waitReason,
    progress: jsonValue(message.progress),
  };
}

/** Returns the step of a message. */
export function stepOf(message: StepMessage): Step {
  const { key, jobId, attempt, worker } = message;
  return {
    type: "step",
    key,
    jobId,
    state: Step_State[message.state].toLowerCase() as StepState,
    attempt,
    error: errorOf(message.error),
    createTime: timeOf(message.createTime),
    startTime: timeOf(message.startTime),
    endTime: timeOf(message.endTime),
    worker,
    progress: jsonValue(message.progress),
    iterations: message.iterations === undefined ? undefined : countsOf(message.iterations),
  };
}

function countsOf(message: CountsMessage): IterationCounts {
  const { total, queued, running, succeeded, failed, canceled, skipped, onlyLive } = message;
  return { total, queued, running, succeeded, failed, canceled, skipped, isOnlyLive: onlyLive };
}

/** Returns the iteration of a message. */
export function iterationOf(message: IterationMessage): Iteration {
  const { number, key } = message;
  return {
    number,
    key,
    state: Step_State[message.state].toLowerCase() as StepState,
    createTime: timeOf(message.createTime),
    startTime: timeOf(message.startTime),
    endTime: timeOf(message.endTime),
  };
}

/** Returns the piece of log of a message. */
export function logOf(message: LogMessage): LogChunk {
  const { jobId, step, attempt, text, position } = message;
  const stream = Stream[message.stream].toLowerCase() as LogChunk["stream"];
  return { type: "log", jobId, step, attempt, stream, text, time: timeOf(message.time), position };
}

/** Returns what a stream tells; undefined for a kind of event that this client does not know. */
export function eventOf({ event }: WatchRunResponse): RunEvent | undefined {
  switch (event.case) {
    case "run":
      return runOf(event.value);
    case "step":
      return stepOf(event.value);
    case "log":
      return logOf(event.value);
    case undefined:
      return undefined;
  }
}

/** Returns the wait of a message. */
export function waitOf(message: WaitMessage): Wait {
  const { step, name, required, received, approvers } = message;
  return {
    step,
    kind: Wait_Kind[message.kind].toLowerCase() as Wait["kind"],
    name,
    required,
    received,
    approvers,
    details: jsonValue(message.details),
    createTime: timeOf(message.createTime),
    endTime: timeOf(message.endTime),
  };
}

/** Returns the links of a message. */
export function waitLinkOf({ actor, acceptToken, denyToken, expireTime }: WaitLinkMessage): WaitLink {
  return { actor, acceptToken, denyToken, expireTime: timeOf(expireTime) };
}

/** Returns the stored version of a flow. */
export function deployedFlow({ flow, warnings }: DeployFlowResponse): Deployed {
  return {
    path: flow?.path ?? "",
    hash: flow?.hash ?? "",
    warnings: warnings.map(({ line, message, remedy }) => `line ${line}: ${message} ${remedy}`.trimEnd()),
  };
}

/** Returns the operation on many runs of a message. */
export function bulkOf(message: BulkMessage | undefined): BulkOperation {
  if (message === undefined) throw new TypeError("The scheduler has answered without an operation.");
  const { id, total, done, failed, leftOut } = message;
  const endTime = timeOf(message.endTime);
  return { id, total, done, failed, leftOut, ...(endTime === undefined ? {} : { endTime }) };
}

/** Returns what an operation on many runs did to one of them. */
export function bulkRunOf({ runId, state, newRunId, errorMessage }: BulkRunMessage): BulkRun {
  return {
    runId,
    state: BulkOperationRun_State[state].toLowerCase() as BulkRun["state"],
    ...(newRunId === "" ? {} : { newRunId }),
    ...(errorMessage === "" ? {} : { error: errorMessage }),
  };
}

/** Returns the selection of a message that starts an operation on many runs. */
export function selectionOf(runs: RunSelection): MessageInitShape<typeof StartBulkOperationRequestSchema>["selection"] {
  const { runIds, flow = "", states = [], createdFrom, createdBefore, name = "", tag = "" } = runs;
  if (runIds !== undefined) return { case: "runIds", value: { ids: [...runIds] } };
  return {
    case: "filter",
    value: {
      flowPath: flow,
      states: states.map(stateNumber),
      name,
      tag,
      input: [...runs.withInput ?? []],
      output: [...runs.withOutput ?? []],
      ...(createdFrom === undefined ? {} : { createdFrom: timestampFromDate(createdFrom) }),
      ...(createdBefore === undefined ? {} : { createdBefore: timestampFromDate(createdBefore) }),
    },
  };
}

function errorOf(error: JobError | undefined): RunError | undefined {
  if (error === undefined) return undefined;
  const { name, message, stack, retryable } = error;
  return { name, message, stack, retryable };
}

function timeOf(time: Timestamp | undefined): Date | undefined {
  return time === undefined ? undefined : timestampDate(time);
}
