package dev.millrace.scheduler.queue;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.core.Json;

/** What people and programs may do to a run. */
public sealed interface RunOperation {
    /** Ends it: waiting jobs are dropped, running ones are stopped on their workers. */
    record Cancel() implements RunOperation {
        @Override
        public String name() {
            return "cancel";
        }
    }

    /** What runs finishes; nothing more is given to workers. */
    record Pause() implements RunOperation {
        @Override
        public String name() {
            return "pause";
        }
    }

    /** Ends a pause. */
    record Resume() implements RunOperation {
        @Override
        public String name() {
            return "resume";
        }
    }

    /** Puts a failed or canceled run back, to do again what failed or was canceled; what succeeded stays. */
    record Retry() implements RunOperation {
        @Override
        public String name() {
            return "retry";
        }
    }

    /** Ends a live step as skipped, with this result. */
    record SkipStep(String stepKey, Json result) implements RunOperation {
        public SkipStep {
            requireNonNull(stepKey, "stepKey");
            requireNonNull(result, "result");
        }

        @Override
        public String name() {
            return "skip_step";
        }
    }

    /** Its name in the record of operations. */
    String name();
}
