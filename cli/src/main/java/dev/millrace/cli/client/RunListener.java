package dev.millrace.cli.client;

import com.fasterxml.jackson.databind.JsonNode;

/** Hears how a run goes. The same run or step may be told twice in the same state; a log chunk is told once. */
public interface RunListener extends RunEventListener {
    void run(Run run);

    void step(Step step);

    void log(LogChunk chunk);

    @Override
    default void event(String name, JsonNode data) {
        switch (name) {
            case "run" -> run(Run.of(data));
            case "step" -> step(Step.of(data));
            case "log" -> log(LogChunk.of(data));
            default -> {
                // Nothing that this client could show.
            }
        }
    }
}
