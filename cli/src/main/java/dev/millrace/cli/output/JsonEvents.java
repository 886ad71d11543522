package dev.millrace.cli.output;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.RunEventListener;

/** Writes each event of a run as one line of JSON: {@code {"event":"step","data":{…}}}. */
public record JsonEvents(Terminal terminal) implements RunEventListener {
    @Override
    public void event(String name, JsonNode data) {
        ObjectNode line = Json.object();
        line.put("event", name);
        line.set("data", data);
        terminal.out().println(Json.compact(line));
    }
}
