package dev.millrace.cli.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Launcher;
import dev.millrace.cli.output.Terminal;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code millrace schedules trigger}: starts a run of a schedule now. */
@Command(name = "trigger", description = "Start a run of a schedule now, with the rights of the schedule.")
public final class SchedulesTriggerCommand extends ScheduleCommand {
    @Option(names = "--request-id", paramLabel = "ID", description = "Makes the command repeatable: it starts one run.")
    private @Nullable String requestId;

    public SchedulesTriggerCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        JsonNode start = requestId == null
                ? client.post(SCHEDULES.then(":trigger"), named())
                : client.post(SCHEDULES.then(":trigger"), named(), requestId);
        boolean isRefused = Json.text(start, "state").equals("refused");
        printResult(
                start,
                isRefused
                        ? "Not started. " + Json.text(start, "reason")
                        : "Started run " + Json.text(start, "run_id") + ". Follow it with: " + Launcher.NAME
                                + " runs watch " + Json.text(start, "run_id"));
        return isRefused ? ExitCode.REFUSED : ExitCode.OK;
    }
}
