package dev.millrace.scheduler.expression.evaluator;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Evaluator of requests in one language. It runs in the child process, one request at a time. */
@FunctionalInterface
public interface Engine {
    /**
     * Evaluates one request. Any exception other than {@link dev.millrace.scheduler.expression.EvaluationFailed} ends
     * the process.
     *
     * @param parts of the request
     * @param values lookup of values that the program reads while it runs
     */
    Answer evaluate(List<@Nullable String> parts, Lookup values);

    /** Lookup of values that a program reads while it runs. */
    @FunctionalInterface
    interface Lookup {
        /**
         * Returns the JSON of a value; null if it does not exist.
         *
         * @param part index of the part of the request that reads the value
         * @param key of the value
         */
        @Nullable String find(int part, String key);
    }
}
