package dev.millrace.scheduler.run.search;

import dev.millrace.proto.run.v1.ListRunsRequest;
import dev.millrace.scheduler.error.Violations;

/** Reads the kind of runs that a request asks for. */
public final class KindOfRunProtos {
    private KindOfRunProtos() {}

    /**
     * The kind of runs that is meant.
     *
     * @param field name of the field, for the violation
     * @param unspecified what a request without a kind means
     */
    public static KindOfRun kind(
            ListRunsRequest.Kind given, String field, KindOfRun unspecified, Violations violations) {
        return switch (given) {
            case KIND_UNSPECIFIED -> unspecified;
            case KIND_WORK -> KindOfRun.WORK;
            case KIND_PREPARATION -> KindOfRun.PREPARATION;
            case KIND_ALL -> KindOfRun.ALL;
            case UNRECOGNIZED -> {
                violations.add(field, "is no kind of runs");
                yield KindOfRun.ALL;
            }
        };
    }
}
