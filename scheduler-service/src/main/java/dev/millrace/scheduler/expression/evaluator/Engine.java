package dev.millrace.scheduler.expression.evaluator;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Evaluates requests of one language, in the child process and one at a time. */
@FunctionalInterface
public interface Engine {
    /**
     * Answers one request. Whatever it throws that is no {@link dev.millrace.scheduler.expression.EvaluationFailed} ends the process.
     *
     * @param parts of the request
     * @param values what the program may ask for while it runs
     */
    Answer evaluate(List<@Nullable String> parts, Lookup values);

    /** Finds values that a program asks for while it runs. */
    @FunctionalInterface
    interface Lookup {
        /**
         * The JSON of a value; null where there is none.
         *
         * @param part position of the request's part that asks
         * @param key what it asks for
         */
        @Nullable String find(int part, String key);
    }
}
