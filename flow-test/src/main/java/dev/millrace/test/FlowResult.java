package dev.millrace.test;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.flowtest.SimulationResult;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.Outcome;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How the run of a test ended. Immutable. */
public final class FlowResult {
    private final SimulationResult result;

    FlowResult(SimulationResult result) {
        this.result = requireNonNull(result, "result");
    }

    /**
     * The output of the run.
     *
     * @throws AssertionError if the run has not succeeded
     */
    public JsonNode output() {
        return TestJson.read(succeeded());
    }

    /**
     * The output of the run as a type; null for the JSON null.
     *
     * @throws AssertionError if the run has not succeeded, or the output does not fit the type
     */
    public <T> @Nullable T outputAs(Class<T> type) {
        return TestJson.read(succeeded(), type);
    }

    /** Why the run failed or was canceled; empty if it has succeeded. */
    public Optional<FlowError> error() {
        return switch (result.outcome()) {
            case Outcome.Succeeded _, Outcome.Skipped _ -> Optional.empty();
            case Outcome.Failed(var error) -> Optional.of(new FlowError(error.name(), error.message()));
            case Outcome.Canceled(var reason) -> Optional.of(new FlowError(reason.name(), reason.message()));
        };
    }

    /** How steps ended, by key, in the order of their ends: {@code succeeded}, {@code failed} and so on. */
    public Map<String, String> steps() {
        Map<String, String> words = new LinkedHashMap<>();
        result.steps().forEach((key, end) -> words.put(key, end.name().toLowerCase(Locale.ROOT)));
        return words;
    }

    /** The inputs of all attempts for which this fake was called, in order. */
    public List<JsonNode> calls(String fake) {
        return result.calls().getOrDefault(fake, List.of()).stream()
                .map(TestJson::read)
                .toList();
    }

    /** Paths of the flows that the run has started without waiting for them, failure flows included. */
    public List<String> started() {
        return result.started().stream().map(SimulationResult.Started::flow).toList();
    }

    /** Virtual time of the run. */
    public Duration elapsed() {
        return result.elapsed();
    }

    private Json succeeded() {
        return result.output()
                .orElseThrow(() -> new AssertionError("The run has no output: "
                        + error().map(FlowError::toString).orElse("it was skipped") + "."));
    }

    @Override
    public String toString() {
        return "FlowResult[" + result.outcome() + ", steps=" + steps() + "]";
    }
}
