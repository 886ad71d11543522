package dev.millrace.cli.client;

import com.fasterxml.jackson.databind.JsonNode;

/** Hears the events of a run as the gateway sends them. */
@FunctionalInterface
public interface RunEventListener {
    /**
     * Takes in one event.
     *
     * @param name {@code run}, {@code step}, {@code log}, or a word of a newer server
     */
    void event(String name, JsonNode data);
}
