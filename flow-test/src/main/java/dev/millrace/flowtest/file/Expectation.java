package dev.millrace.flowtest.file;

import dev.millrace.flowtest.SimulationResult;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.Outcome;
import dev.millrace.text.Durations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * What a test expects. Without an error, it expects that the run succeeds.
 *
 * @param output the exact output
 * @param error how the run fails
 * @param steps how steps end, by key; {@code none} for steps that do not run
 * @param calls how often fakes are called, or with which inputs
 * @param started paths of the flows that the run starts without waiting for them, in their order
 * @param elapsed virtual time of the run
 */
public record Expectation(
        Optional<JsonValue> output,
        Optional<ExpectedError> error,
        Map<String, String> steps,
        Map<String, JsonValue> calls,
        Optional<List<String>> started,
        Optional<Duration> elapsed) {
    /** The end of a step that does not run. */
    static final String NONE = "none";

    public Expectation {
        steps = Map.copyOf(steps);
        calls = Map.copyOf(calls);
    }

    /**
     * How a run fails.
     *
     * @param name type of the error; empty for any
     * @param message a part of the message; empty for any
     */
    public record ExpectedError(String name, String message) {
        boolean fits(JobError error) {
            return (name.isEmpty() || name.equals(error.name()))
                    && error.message().contains(message);
        }

        String phrase() {
            return (name.isEmpty() ? "any error" : name) + (message.isEmpty() ? "" : " with \"" + message + "\"");
        }
    }

    /** Returns which steps and fakes there are not, so that nothing could ever be found about them. */
    List<String> unknown(Predicate<String> isStep, Set<String> fakes) {
        List<String> found = new ArrayList<>();
        steps.keySet().stream()
                .sorted()
                .filter(isStep.negate())
                .forEach(key -> found.add("The test expects something of step \"" + key
                        + "\", which the flow does not have. Write its key in a run, such as count[3].tokenize."));
        calls.keySet().stream()
                .sorted()
                .filter(fake -> !fakes.contains(fake))
                .forEach(fake -> found.add("The test expects calls of \"" + fake + "\", which is not among its fakes: "
                        + String.join(", ", new TreeSet<>(fakes)) + "."));
        return found;
    }

    /** Returns what differs; empty if the result is as expected. */
    List<String> differences(SimulationResult result) {
        List<String> found = new ArrayList<>();
        outcome(result.outcome(), found);
        steps.entrySet().stream().sorted(Map.Entry.comparingByKey()).forEach(step -> {
            String actual = Optional.ofNullable(result.steps().get(step.getKey()))
                    .map(status -> status.name().toLowerCase(Locale.ROOT))
                    .orElse(NONE);
            if (!actual.equals(step.getValue())) {
                found.add("Step \"" + step.getKey() + "\" ended as " + actual + " (expected: " + step.getValue()
                        + "). Steps that ran: "
                        + String.join(", ", result.steps().keySet()) + ".");
            }
        });
        calls.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(call -> calls(
                        call.getKey(), call.getValue(), result.calls().getOrDefault(call.getKey(), List.of()), found));
        List<String> flows =
                result.started().stream().map(SimulationResult.Started::flow).toList();
        if (started.isPresent() && !started.get().equals(flows)) {
            found.add("The run started " + flows + " (expected: " + started.get() + ").");
        }
        if (elapsed.isPresent() && !elapsed.get().equals(result.elapsed())) {
            found.add("The run took " + Durations.text(result.elapsed()) + " of virtual time (expected: "
                    + Durations.text(elapsed.get()) + ").");
        }
        result.unsent().forEach(signal -> found.add(result.unsentSentence(signal)));
        return found;
    }

    private void outcome(Outcome outcome, List<String> found) {
        switch (outcome) {
            case Outcome.Succeeded(Json actual) -> {
                if (error.isPresent()) {
                    found.add("The run succeeded with " + actual.text() + " (expected: "
                            + error.get().phrase() + ").");
                }
                output.filter(expected -> !expected.sameAs(JsonValue.of(actual)))
                        .ifPresent(expected -> found.add("The output differs.\n"
                                + JsonDiff.of(expected.json().text(), actual.text())));
            }
            case Outcome.Failed(JobError actual) -> failed("failed", actual, found);
            case Outcome.Canceled(JobError reason) -> failed("was canceled", reason, found);
            case Outcome.Skipped _ -> found.add("The run was skipped.");
        }
    }

    private void failed(String how, JobError actual, List<String> found) {
        if (error.isEmpty() || !error.get().fits(actual)) {
            found.add("The run " + how + " with " + actual.name() + ": " + actual.message() + " (expected: "
                    + error.map(ExpectedError::phrase).orElse("success") + ")");
        }
        if (output.isPresent() && error.isPresent()) {
            found.add("A run that fails has no output: expect either an output or an error.");
        }
    }

    private static void calls(String fake, JsonValue expected, List<Json> actual, List<String> found) {
        if (expected.kind() == JsonValue.Kind.NUMBER) {
            if (!expected.sameAs(JsonValue.of(actual.size()))) {
                found.add("\"" + fake + "\" was called " + times(actual.size()) + " (expected: " + expected + ").");
            }
            return;
        }
        String inputs = "[" + String.join(",", actual.stream().map(Json::text).toList()) + "]";
        if (!expected.sameAs(JsonValue.of(inputs))) {
            found.add("The inputs of \"" + fake + "\" differ.\n"
                    + JsonDiff.of(expected.json().text(), inputs));
        }
    }

    private static String times(int number) {
        return number == 1 ? "once" : number + " times";
    }
}
