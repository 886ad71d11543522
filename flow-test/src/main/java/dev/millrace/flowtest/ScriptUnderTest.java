package dev.millrace.flowtest;

import dev.millrace.flowtest.script.ScriptCall;
import dev.millrace.flowtest.script.ScriptCode;
import dev.millrace.scheduler.config.JobConfig;
import dev.millrace.scheduler.queue.core.AttemptResult;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Runs one script in a test, as a run of a script without a flow: one attempt, without retries. */
public final class ScriptUnderTest {
    private ScriptUnderTest() {}

    /**
     * Runs the script.
     *
     * @param path under which its call is noted
     * @param signals those that the test sends, for which no script waits
     * @throws SimulationStopped if this machine cannot run the script
     */
    public static SimulationResult run(
            StepScripts scripts, ScriptCode code, String path, Json input, List<SentSignal> signals) {
        AttemptResult result = scripts.run(new ScriptCall(
                code, UUID.randomUUID().toString(), "", 1, input, scripts.values(), JobConfig.TIMEOUT_DEFAULT));
        Outcome outcome = switch (result) {
            case AttemptResult.Succeeded(Json value) -> new Outcome.Succeeded(value);
            case AttemptResult.Failed(var error) -> new Outcome.Failed(error);
            case AttemptResult.Returned(String reason) -> throw new SimulationStopped(reason);
            case AttemptResult.WorkerLost _ -> throw new SimulationStopped("The worker for scripts has ended.");
        };
        return new SimulationResult(
                outcome, Duration.ZERO, Map.of(), Map.of(path, List.of(input)), List.of(), signals, Map.of());
    }
}
