package dev.millrace.cli.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Schedules as people write them: a schedule, or a list of them under {@code schedules}. */
final class ScheduleFile {
    private static final Set<String> TARGETS = Set.of("flow", "flow_hash", "script", "script_hash", "handler");
    private static final Set<String> OPTIONS =
            Set.of("input", "tag", "priority", "timeout", "retry", "env", "start_within", "limit");

    private ScheduleFile() {}

    /**
     * A schedule of a file.
     *
     * @param written what the file says
     * @param body for the address of the schedule
     */
    record Entry(String path, JsonNode written, ObjectNode body) {
        /** The key of the file for a field of the body. */
        String nameOf(String field) {
            String plain = field.replaceFirst("\\[[0-9]+]$", "");
            if (!plain.equals(field) && written.path(plain).isTextual()) {
                return plain;
            }
            if (field.equals("run.target") && !written.has("run")) {
                return "flow";
            }
            String key = field.replaceFirst("^run\\.(target\\.)?", "");
            return written.has(key.replaceFirst("[.\\[].*", "")) ? key : field;
        }
    }

    static List<Entry> read(JsonNode file, String name) {
        List<Entry> entries = new ArrayList<>();
        if (file.path("schedules").isArray()) {
            for (int index = 0; index < file.path("schedules").size(); index++) {
                entries.add(entry(file.path("schedules").path(index), name + ": schedules[" + index + "]"));
            }
        } else {
            entries.add(entry(file, name));
        }
        return entries;
    }

    private static Entry entry(JsonNode schedule, String place) {
        String path = Json.text(schedule, "path");
        if (path.isEmpty()) {
            throw new CommandFailure(
                    ExitCode.INVALID,
                    place + " has no `path`. Write an object with `path`, a target such as `flow`, and"
                            + " `cron` or `every`, or a list of them under `schedules`.");
        }
        return new Entry(path, schedule, body(schedule));
    }

    /** The body of a request: target and options of the run in an object of their own, and expressions as a list. */
    static ObjectNode body(JsonNode schedule) {
        ObjectNode body = Json.object();
        ObjectNode run =
                schedule.path("run").isObject() ? ((ObjectNode) schedule.path("run")).deepCopy() : Json.object();
        schedule.properties().forEach(field -> {
            String key = field.getKey();
            JsonNode value = field.getValue();
            if (TARGETS.contains(key)) {
                run.withObject("/target").set(key, value);
            } else if (OPTIONS.contains(key)) {
                run.set(key, value);
            } else if ((key.equals("cron") || key.equals("exclude")) && value.isTextual()) {
                body.putArray(key).add(value);
            } else if (!key.equals("path") && !key.equals("run")) {
                body.set(key, value);
            }
        });
        body.set("run", run);
        return body;
    }
}
