package dev.millrace.scheduler.expression.javascript;

import dev.millrace.scheduler.expression.EvaluationFailed;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.SourceSection;
import org.jspecify.annotations.Nullable;

/** Conversion of failures in an engine to messages. */
final class Failures {
    private static final int MESSAGE_CHARS_MAX = 500;
    private static final String LIMIT = "ExpressionLimit";

    private Failures() {}

    /** Whether the context must not be used after a failure. */
    static boolean endsContext(Throwable failure) {
        return !(failure instanceof EvaluationFailed) && !(failure instanceof ScriptInvalid);
    }

    /**
     * Converts an exception thrown by a script. Its message may run code of the script, so call this only on the
     * realm's thread.
     */
    static EvaluationFailed thrown(String source, PolyglotException thrown) {
        String where = place(thrown)
                .map(section -> " (line " + section.getStartLine() + ")")
                .orElse("");
        return new EvaluationFailed(
                "ExpressionFailed",
                "The expression \"" + Excerpt.of(source) + "\" failed: " + shortened(thrown.getMessage()) + where
                        + ".");
    }

    /** Finds the innermost location in the script itself. */
    private static Optional<SourceSection> place(PolyglotException thrown) {
        return Stream.concat(
                        Stream.ofNullable(thrown.getSourceLocation()),
                        StreamSupport.stream(thrown.getPolyglotStackTrace().spliterator(), false)
                                .map(PolyglotException.StackFrame::getSourceLocation)
                                .filter(Objects::nonNull))
                .filter(section -> section.getSource().getName().equals(Compiled.NAME))
                .findFirst();
    }

    /** Converts the reason why an evaluation was stopped. */
    static EvaluationFailed stopped(String source, Throwable reason) {
        if (reason instanceof EvaluationFailed failed) {
            return failed;
        }
        if (reason instanceof PolyglotException exhausted && exhausted.isResourceExhausted()) {
            return limit(source, "it executed more than " + Limits.STATEMENTS_MAX + " statements");
        }
        if (reason instanceof StackOverflowError) {
            return limit(source, "it ran out of stack");
        }
        return limit(source, "the engine stopped: " + shortened(reason.getMessage()));
    }

    static EvaluationFailed limit(String source, String what) {
        return new EvaluationFailed(
                LIMIT,
                "The expression \"" + Excerpt.of(source) + "\" was stopped: " + what + ". Do such work in a step.");
    }

    private static String shortened(@Nullable String message) {
        String text = String.valueOf(message).strip();
        String shown = text.length() <= MESSAGE_CHARS_MAX ? text : text.substring(0, MESSAGE_CHARS_MAX) + "…";
        return shown.endsWith(".") ? shown.substring(0, shown.length() - 1) : shown;
    }
}
