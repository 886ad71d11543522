package dev.millrace.cli.client;

import com.fasterxml.jackson.databind.JsonNode;

/** Receiver of a run's events, as the gateway sends them. */
@FunctionalInterface
public interface RunEventListener {
    /**
     * Receives one event.
     *
     * @param name {@code run}, {@code step}, {@code log}, or a name that only newer servers send
     */
    void event(String name, JsonNode data);
}
