package dev.millrace.cli.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Terminal;
import dev.millrace.cli.secret.ValueFile;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code millrace schedules apply}: creates or changes the schedules of a file. */
@Command(name = "apply", description = "Create or change the schedules of a YAML or JSON file.")
public final class SchedulesApplyCommand extends ClientCommand {
    @Parameters(
            paramLabel = "FILE",
            description = "File with a schedule, or a list under `schedules`; - reads standard input.")
    private String file = "";

    public SchedulesApplyCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        ArrayNode applied = Json.array();
        for (ScheduleFile.Entry entry :
                ScheduleFile.read(ValueFile.read(file, terminal().in()), file)) {
            JsonNode schedule = client.put(ScheduleCommand.SCHEDULES.child(entry.path()), entry.body());
            applied.add(schedule);
            if (!wantsJson()) {
                print(ScheduleCommand.applied(schedule));
            }
        }
        if (wantsJson()) {
            printJson(applied);
        }
        return ExitCode.OK;
    }
}
