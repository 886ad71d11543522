package dev.millrace.e2e.storm;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.e2e.support.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Which session each worker had at which time, and with which scheduler, as the logs of the schedulers tell. */
final class Connections {
    private static final String CONNECTED = "\"A worker has connected\"";

    private record Connection(String session, String scheduler) {}

    private final Map<String, NavigableMap<Instant, Connection>> ofWorkers = new HashMap<>();

    private Connections() {}

    /** @param logs folder with the logs of all processes of a cluster */
    static Connections in(Path logs) throws IOException {
        var connections = new Connections();
        try (Stream<Path> files = Files.list(logs)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                String name = String.valueOf(file.getFileName());
                if (name.matches("scheduler-\\d+\\.log")) {
                    connections.read(file, name.replace(".log", ""));
                }
            }
        }
        return connections;
    }

    private void read(Path log, String scheduler) throws IOException {
        for (String line : Files.readAllLines(log)) {
            // A killed process may leave half a line.
            if (line.contains(CONNECTED) && line.endsWith("}")) {
                JsonNode entry = Json.parse(line);
                ofWorkers
                        .computeIfAbsent(entry.path("worker").asText(), _ -> new TreeMap<>())
                        .put(
                                Instant.parse(entry.path("time").asText()),
                                new Connection(entry.path("session").asText(), scheduler));
            }
        }
    }

    /** The effect in words, with the last connection of its worker before it. */
    String describe(Effect effect) {
        Map.Entry<Instant, Connection> last =
                ofWorkers.getOrDefault(effect.worker(), new TreeMap<>()).floorEntry(effect.time());
        String connection = last == null
                ? "without a connection"
                : "session " + last.getValue().session + ", connected to " + last.getValue().scheduler + " at "
                        + last.getKey();
        return effect.what() + " of " + effect.nonce() + " at " + effect.time() + " on " + effect.worker() + " ("
                + connection + ")";
    }
}
