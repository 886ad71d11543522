package dev.millrace.flowtest.script;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.core.AttemptResult;

/**
 * How an attempt ended.
 *
 * @param log the beginning of what it printed
 */
public record ScriptAnswer(AttemptResult result, String log) {
    public ScriptAnswer {
        requireNonNull(result, "result");
        requireNonNull(log, "log");
    }
}
