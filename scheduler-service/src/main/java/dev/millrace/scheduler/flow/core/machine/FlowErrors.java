package dev.millrace.scheduler.flow.core.machine;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Resolution;
import dev.millrace.scheduler.flow.core.definition.FlowLimits;
import dev.millrace.scheduler.flow.core.definition.LimitsInGroups;
import dev.millrace.scheduler.flow.core.graph.RunInput;
import dev.millrace.scheduler.flow.core.graph.StepKey;
import dev.millrace.scheduler.flow.core.state.Failure;
import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.JobOptions;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** The errors that the engine itself finds in runs. */
final class FlowErrors {
    private FlowErrors() {}

    static JobError unresolved(String what, Resolution.Unresolved unresolved) {
        return JobError.permanent(unresolved.name(), "The " + what + " could not be resolved. " + unresolved.message());
    }

    static JobError wrongType(String what, String expected, String actual) {
        return JobError.permanent("WrongType", "The " + what + " is " + actual + " (expected: " + expected + ").");
    }

    static JobError tooManyItems(int items) {
        return JobError.permanent(
                "TooManyItems",
                "The loop has " + items + " items, more than the limit of " + FlowLimits.LOOP_ITEMS_MAX
                        + ". Group the items, so that each iteration takes several.");
    }

    static JobError unknownTarget(String target, Collection<String> scripts) {
        return JobError.permanent(
                "UnknownTarget",
                "The target \"" + target + "\" is neither handler:NAME nor a script of the flow, which are " + scripts
                        + ".");
    }

    static JobError unusableOverrides(String why) {
        return JobError.permanent(
                "InvalidOverrides", "The overrides of the step cannot be used: " + why + ". Correct what makes them.");
    }

    static JobError limitInGroup(StepKey step) {
        return JobError.permanent(
                "InvalidOverrides", LimitsInGroups.message(step.text()) + " " + LimitsInGroups.REMEDY);
    }

    static JobError unusableTag(String tag) {
        return JobError.permanent(
                "WrongType",
                JobOptions.isCallers(tag)
                        ? "The tag has " + tag.length() + " characters (expected: 1 to " + JobOptions.TAG_LENGTH_MAX
                                + ")."
                        : "The tag begins with '" + tag.charAt(0) + "', as only tags of the scheduler itself do.");
    }

    static JobError tooManyIterations(int max) {
        return JobError.permanent(
                "TooManyIterations",
                "The condition of the loop is still true after " + max
                        + " iterations, the most that the loop allows. Correct the condition, or raise the limit.");
    }

    static JobError inputRefused(List<RunInput.Problem> problems) {
        StringBuilder all = new StringBuilder("The flow does not take this input.");
        problems.forEach(problem -> all.append(' ').append(problem.message()));
        return JobError.permanent("InvalidInput", all.toString());
    }

    /** Reads a text, or an object with {@code message} and optionally {@code name} and {@code result}. */
    static JobError stopped(JsonValue error) {
        boolean isObject =
                error.kind() == JsonValue.Kind.OBJECT && error.members().containsKey("message");
        Map<String, JsonValue> members = isObject ? error.members() : Map.of("message", error);
        return new JobError(
                Optional.ofNullable(members.get("name")).map(FlowErrors::text).orElse("Stopped"),
                text(Objects.requireNonNull(members.get("message"))),
                "",
                false,
                Optional.ofNullable(members.get("result")).map(JsonValue::json));
    }

    private static String text(JsonValue value) {
        return value.kind() == JsonValue.Kind.STRING ? value.string() : value.toString();
    }

    static JobError timedOut(Duration limit) {
        return JobError.permanent("TimedOut", "The step took longer than its time limit of " + text(limit) + ".");
    }

    /** Formats a duration as in {@code 1h30m} or {@code 2.5s}. */
    private static String text(Duration duration) {
        return duration.toString().substring(2).toLowerCase(Locale.ROOT);
    }

    static JobError endedEarly() {
        return JobError.permanent("EndedEarly", "The steps around this one ended early.");
    }

    static JobError noDuration(JsonValue value) {
        return JobError.permanent(
                "WrongType",
                "The duration is " + value.shown()
                        + " (expected: seconds as a number, or a duration such as 5m, of at most "
                        + FlowLimits.WAIT_MAX.toDays() + " days).");
    }

    static JobError noMoment(JsonValue value) {
        return JobError.permanent(
                "WrongType",
                "The moment is " + value.shown()
                        + " (expected: a time such as 2030-01-31T12:00:00Z, or milliseconds since 1970).");
    }

    static JobError gatheredTooLarge(int bytesMax) {
        return JobError.permanent(
                "PayloadTooLarge",
                "The results of the iterations together are larger than the limit of " + bytesMax
                        + " bytes. Let each iteration return a reference, such as a path or a URL, instead of the data.");
    }

    static JobError transitionTooLarge() {
        return JobError.permanent(
                "TransitionTooLarge",
                "More than " + FlowLimits.TRANSITION_WORK_MAX
                        + " steps and iterations would begin or end at once. Use fewer items or a lower parallelism in nested loops.");
    }

    static JobError transitionTooHeavy(long bytesMax) {
        return JobError.permanent(
                "TransitionTooLarge",
                "More than " + bytesMax / 1_048_576
                        + " MiB of inputs and results would be written at once. Use a lower parallelism, or pass smaller values:"
                        + " put large ones into a store, and pass their names.");
    }

    static JobError stateTooLarge(long bytesMax) {
        return JobError.permanent(
                "RunTooLarge",
                "The run would hold more than " + bytesMax / 1_048_576
                        + " MiB of results and variables that later steps read. Read smaller parts, or put large values into a"
                        + " store, and pass their names.");
    }

    static JobError terminated(StepKey step) {
        return JobError.permanent("RunEnded", "Step \"" + step + "\" ended the run.");
    }

    static JobError ended(Failure failure) {
        return JobError.permanent("RunFailed", "The run failed at step \"" + failure.key() + "\".");
    }
}
