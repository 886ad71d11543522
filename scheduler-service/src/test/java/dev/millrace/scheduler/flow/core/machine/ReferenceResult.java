package dev.millrace.scheduler.flow.core.machine;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.queue.core.JobError;

/** The state of a step or a list in the reference interpreter. */
sealed interface ReferenceResult {
    record Done(JsonValue value) implements ReferenceResult {}

    record Pending() implements ReferenceResult {}

    /**
     * A failure.
     *
     * @param direct whether the step or list itself has failed, as opposed to something inside it
     */
    record Failing(String key, JobError error, boolean canceled, boolean direct) implements ReferenceResult {
        /** The result that a tolerated failure leaves. */
        JsonValue tolerated() {
            return tolerated(lastId(key));
        }

        JsonValue tolerated(String stepId) {
            return JsonValue.of("{\"error\":{\"name\":" + JsonValue.ofString(error.name()) + ",\"message\":"
                    + JsonValue.ofString(error.message()) + ",\"stack\":" + JsonValue.ofString(error.stack())
                    + ",\"step_id\":" + JsonValue.ofString(stepId) + "}}");
        }

        /** The error as expressions see it. */
        JsonValue seen() {
            return requireNonNull(tolerated().members().get("error"));
        }
    }

    /** The loop around the step ends after this iteration. */
    record Leaving(JsonValue value) implements ReferenceResult {}

    /**
     * The iteration or branch around the step ends early.
     *
     * @param breaks whether no further sibling begins
     */
    record Closing(JsonValue value, boolean breaks) implements ReferenceResult {}

    private static String lastId(String key) {
        String id = key.substring(key.lastIndexOf('.') + 1);
        if (id.startsWith("~")) {
            return lastId(key.substring(0, key.lastIndexOf('.')));
        }
        return id.contains("[") ? id.substring(0, id.indexOf('[')) : id;
    }
}
