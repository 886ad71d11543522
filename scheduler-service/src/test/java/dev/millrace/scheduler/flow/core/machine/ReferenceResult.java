package dev.millrace.scheduler.flow.core.machine;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.queue.core.JobError;

/** What became of a step or a list, as the reference has it. */
sealed interface ReferenceResult {
    record Done(JsonValue value) implements ReferenceResult {}

    record Pending() implements ReferenceResult {}

    /**
     * A failure.
     *
     * @param direct whether it is one of this very step or list, not of one inside
     */
    record Failing(String key, JobError error, boolean canceled, boolean direct) implements ReferenceResult {
        /** What it leaves where it is tolerated. */
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

    /** The loop around is left after this iteration. */
    record Leaving(JsonValue value) implements ReferenceResult {}

    /**
     * The iteration or branch around ends here.
     *
     * @param breaks whether none beside it begins any more
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
