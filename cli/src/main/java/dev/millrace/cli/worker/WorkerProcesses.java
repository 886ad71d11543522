package dev.millrace.cli.worker;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.cli.output.Durations;
import dev.millrace.cli.output.Table;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;

/** The processes of workers as a table, one row for each. */
final class WorkerProcesses {
    /** Digits of a version's hash that are shown, which tell versions of a script apart. */
    private static final int VERSION_LENGTH = 12;

    private static final int MEBIBYTE = 1 << 20;

    private WorkerProcesses() {}

    static Table table() {
        return new Table(
                "WORKER", "SCRIPT", "STATE", "PID>", "AGE>", "JOBS>", "MEMORY>", "LANGUAGE?", "VERSION?", "WORKSPACE?");
    }

    /** Adds the processes of a worker. */
    static void addTo(Table table, JsonNode worker, Instant now) {
        worker.path("processes")
                .forEach(process -> add(table, worker.path("name").asText(), process, now));
    }

    /** Number of processes that the workers have not reported one by one. */
    static long leftOff(List<JsonNode> workers) {
        return workers.stream()
                .mapToLong(worker -> worker.path("processes_left_off").asLong())
                .sum();
    }

    private static void add(Table table, String worker, JsonNode process, Instant now) {
        String version = process.path("version").asText();
        long bytes = process.path("memory_bytes").asLong();
        table.row(
                worker,
                process.path("script").asText(),
                process.path("state").asText(),
                process.path("pid").asText(),
                age(process.path("start_time").asText(), now),
                process.path("jobs_ended").asText(),
                bytes == 0 ? "" : Math.ceilDiv(bytes, MEBIBYTE) + " MiB",
                process.path("language").asText(),
                version.substring(0, Math.min(VERSION_LENGTH, version.length())),
                process.path("workspace").asText());
    }

    /** How old a process is; nothing if its worker does not tell. */
    private static String age(String start, Instant now) {
        try {
            Duration age = Duration.between(Instant.parse(start), now);
            return age.isNegative() ? "0 s" : Durations.text(Duration.ofSeconds(age.toSeconds()));
        } catch (DateTimeParseException unknown) {
            return "";
        }
    }
}
