/** Makes the context of a job. */

import type { Blobs } from "./blobs.ts";
import type { Context } from "./context.ts";
import { type Call, LOCK_WAIT_SECONDS_MAX, takeLock } from "./lock.ts";
import { newLogger } from "./logger.ts";
import type { JobMessage } from "./messages.ts";
import { runData } from "./run_data.ts";
import { RUN_WAIT_SECONDS_MAX, runsOf } from "./runs.ts";
import { resourcesOf, secretsOf, stateOf } from "./values.ts";

/** Everything that a job sends and asks for goes through its host. */
export interface JobHost {
  readonly workspace: string;
  readonly call: Call;
  readonly blobs: Blobs;
  /** Adds a line to the log. */
  print(stream: "stdout" | "stderr", line: string): void;
  progress(value: unknown): void;
  trace(text: string): void;
}

/** Returns the context of a job. */
export function contextOf(message: JobMessage, signal: AbortSignal, host: JobHost): Context {
  const { call } = host;
  const deadline = message.deadline_ms === 0 ? undefined : new Date(Date.now() + message.deadline_ms);
  return {
    jobId: message.id,
    runId: message.run_id,
    step: message.step,
    attempt: message.attempt,
    traceparent: message.traceparent,
    tracestate: message.tracestate ?? "",
    idempotencyKey: message.idempotency_key ?? "",
    sharedFolder: message.shared_folder,
    stepToken: `${message.run_id}/${message.step}`,
    data: runData(call),
    secrets: secretsOf(call),
    resources: resourcesOf(call),
    state: stateOf(call),
    runs: runsOf(call, () => secondsUntil(deadline) ?? RUN_WAIT_SECONDS_MAX),
    blobs: host.blobs,
    workspace: host.workspace,
    logger: newLogger((stream, line) => host.print(stream, line)),
    deadline,
    signal,
    progress: (value) => host.progress(value),
    trace: (text) => host.trace(text),
    lock: (name, options = {}) => {
      return takeLock(call, name, options, secondsUntil(deadline) ?? LOCK_WAIT_SECONDS_MAX);
    },
  };
}

function secondsUntil(time: Date | undefined): number | undefined {
  return time === undefined ? undefined : (time.getTime() - Date.now()) / 1000;
}
