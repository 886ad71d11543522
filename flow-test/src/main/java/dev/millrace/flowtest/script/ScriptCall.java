package dev.millrace.flowtest.script;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.core.Json;
import java.time.Duration;

/**
 * One attempt of a job that runs a script.
 *
 * @param run id of the run, whose steps share data
 * @param step key of the step; empty outside of flows
 * @param values what its input refers to, and what it may ask for
 * @param timeout real time after which the attempt times out
 */
public record ScriptCall(
        ScriptCode code, String run, String step, int attempt, Json input, NamedValues values, Duration timeout) {
    public ScriptCall {
        requireNonNull(code, "code");
        requireNonNull(run, "run");
        requireNonNull(step, "step");
        requireNonNull(input, "input");
        requireNonNull(values, "values");
        requireNonNull(timeout, "timeout");
    }
}
