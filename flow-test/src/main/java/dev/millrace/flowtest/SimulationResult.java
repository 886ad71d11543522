package dev.millrace.flowtest;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.core.EndStatus;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.Outcome;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How a simulated run ended.
 *
 * @param elapsed virtual time of the run
 * @param steps how each step ended, by its key in the run, in the order of their ends
 * @param calls the inputs of all attempts, by the name of the fake
 * @param started the runs that the run has started without waiting for them, failure flows included
 * @param unsent the signals that no step has waited for
 * @param asked the first step that has waited for people, by the name under which it asked them
 */
public record SimulationResult(
        Outcome outcome,
        Duration elapsed,
        Map<String, EndStatus> steps,
        Map<String, List<Json>> calls,
        List<Started> started,
        List<SentSignal> unsent,
        Map<String, String> asked) {
    public SimulationResult {
        requireNonNull(outcome, "outcome");
        requireNonNull(elapsed, "elapsed");
        steps = new LinkedHashMap<>(steps);
        calls = new LinkedHashMap<>(calls);
        started = List.copyOf(started);
        unsent = List.copyOf(unsent);
        asked = Map.copyOf(asked);
    }

    /** Says that no step has waited for a signal, and which one waits for people under its name. */
    public String unsentSentence(SentSignal signal) {
        String sentence = "No step has waited for " + signal.phrase() + ", which the test sends.";
        return signal.target() instanceof SentSignal.Target.Name(String name) && asked.containsKey(name)
                ? sentence + " Step \"" + asked.get(name) + "\" waits for people under that name: write step: "
                        + asked.get(name) + " in place of name: " + name + "."
                : sentence;
    }

    /**
     * A run that another one has started.
     *
     * @param flow path of its flow
     */
    public record Started(String flow, Json input) {}

    /** The output of the run; empty if it has not succeeded. */
    public Optional<Json> output() {
        return outcome instanceof Outcome.Succeeded(Json output) ? Optional.of(output) : Optional.empty();
    }
}
