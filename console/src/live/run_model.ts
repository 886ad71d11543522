import type { Run, Step } from "#/api/types.ts";
import { isInsideFolded } from "#/live/folded.ts";
import { MapView } from "#/live/map_view.ts";
import type { ServerSentEvent } from "#/live/sse_parser.ts";

/** What is known of a run that is followed live. */
export interface RunModel {
  readonly run: Run | undefined;
  /** The steps by their keys, in the order in which they were first seen. */
  readonly steps: ReadonlyMap<string, Step>;
}

export const EMPTY_RUN: RunModel = { run: undefined, steps: new Map() };

/**
 * Collects the events of one stream. A step that was reported again replaces what was known of it. Each model shows all
 * steps so far; those that were made earlier show them, too.
 */
export class RunCollector {
  private run: Run | undefined;
  private readonly steps = new Map<string, Step>();

  add(events: readonly ServerSentEvent[]): void {
    for (const event of events) {
      if (event.name === "run") {
        this.run = JSON.parse(event.data) as Run;
      } else if (event.name === "step") {
        const step = JSON.parse(event.data) as Step;
        if (step.iterations !== undefined && this.steps.get(step.key)?.iterations === undefined) {
          this.fold(step.key);
        }
        // The server may have sent steps of the first iterations before it knew how many there are.
        if (!isInsideFolded(step.key, this.steps)) {
          this.steps.set(step.key, step);
        }
      }
    }
  }

  private fold(loop: string): void {
    for (const key of this.steps.keys()) {
      if (key.startsWith(`${loop}[`)) {
        this.steps.delete(key);
      }
    }
  }

  get size(): number {
    return this.steps.size;
  }

  /** @param before the run that is shown until the stream has told it */
  model(before: Run | undefined): RunModel {
    return { run: this.run ?? before, steps: new MapView(this.steps) };
  }
}
