import type { Run, Step } from "#/api/types.ts";
import type { ServerSentEvent } from "#/live/sse_parser.ts";

/** What is known of a run that is followed live. */
export interface RunModel {
  readonly run: Run | undefined;
  /** The steps by their keys, in the order in which they were first seen. */
  readonly steps: ReadonlyMap<string, Step>;
}

export const EMPTY_RUN: RunModel = { run: undefined, steps: new Map() };

/**
 * The model after some events. A step that was reported again replaces what was known of it. A retry of the run, which
 * removes its failed steps, is told by a run that has not ended any more: steps without an end then count anew.
 */
export function withEvents(model: RunModel, events: readonly ServerSentEvent[]): RunModel {
  let { run } = model;
  const steps = new Map(model.steps);
  for (const event of events) {
    if (event.name === "run") {
      run = JSON.parse(event.data) as Run;
    } else if (event.name === "step") {
      const step = JSON.parse(event.data) as Step;
      steps.set(step.key, step);
    }
  }
  return { run, steps };
}
