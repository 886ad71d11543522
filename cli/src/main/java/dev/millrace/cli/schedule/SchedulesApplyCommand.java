package dev.millrace.cli.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.client.RefusedRequest;
import dev.millrace.cli.output.Terminal;
import dev.millrace.cli.secret.ValueFile;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
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
        List<ScheduleFile.Entry> entries =
                ScheduleFile.read(ValueFile.read(file, terminal().in()), source());
        ArrayNode applied = Json.array();
        List<CommandFailure> refusals = new ArrayList<>();
        for (ScheduleFile.Entry entry : entries) {
            try {
                JsonNode schedule = client.put(ScheduleCommand.SCHEDULES.child(entry.path()), entry.body());
                applied.add(schedule);
                if (!wantsJson()) {
                    print(ScheduleCommand.applied(schedule));
                }
            } catch (RefusedRequest refused) {
                refusals.add(new CommandFailure(
                        refused.exitCode(),
                        source() + ": schedule \"" + entry.path() + "\": "
                                + refused.naming(entry::nameOf).text()));
            }
        }
        if (wantsJson()) {
            printJson(applied);
        }
        if (!refusals.isEmpty()) {
            throw failure(refusals, entries.size());
        }
        return ExitCode.OK;
    }

    private String source() {
        return file.equals("-") ? "Standard input" : file;
    }

    /** All refusals, with the exit code of the first. */
    private static CommandFailure failure(List<CommandFailure> refusals, int entries) {
        String count = entries == 1 ? "" : "\n" + refusals.size() + " of " + entries + " schedules were not applied.";
        return new CommandFailure(
                refusals.getFirst().exitCode(),
                refusals.stream().map(CommandFailure::text).collect(Collectors.joining("\n")) + count);
    }
}
