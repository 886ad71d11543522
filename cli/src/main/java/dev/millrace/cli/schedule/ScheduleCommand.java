package dev.millrace.cli.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.client.ApiPath;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.output.Terminal;
import picocli.CommandLine.Parameters;

/** A command about one schedule. */
abstract class ScheduleCommand extends ClientCommand {
    static final ApiPath SCHEDULES = ApiPath.of("/schedules");

    @Parameters(index = "0", paramLabel = "PATH", description = "Path of the schedule; its first part is the folder.")
    private String path = "";

    ScheduleCommand(Terminal terminal) {
        super(terminal);
    }

    final String path() {
        return path;
    }

    @Override
    protected final String nameOf(String field) {
        return optionOf(field);
    }

    /** What to tell people about a schedule that was written. */
    static String applied(JsonNode schedule) {
        String next = ScheduleText.next(schedule);
        return "Wrote the schedule " + Json.text(schedule, "path") + " (" + ScheduleText.target(schedule) + "). "
                + (next.isEmpty() ? "It has no next time." : "Next: " + next + ".");
    }

    /** A body that names the schedule. */
    final ObjectNode named() {
        return Json.object().put("path", path);
    }
}
