package dev.millrace.scheduler.queue;

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

    /** Its name in the record of operations. */
    String name();

    /** What there is to know about it beyond its name, for the record. */
    default Json details() {
        return Json.EMPTY_OBJECT;
    }
}
