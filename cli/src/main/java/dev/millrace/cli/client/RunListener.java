package dev.millrace.cli.client;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * Receiver of a run's states and log chunks. The same state of a run or step may arrive twice; each log chunk arrives
 * once.
 */
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
                // An event that this client cannot show.
            }
        }
    }
}
