package dev.millrace.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.ApiPath;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.LogChunk;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.client.RunFollower;
import dev.millrace.cli.output.ControlCharacters;
import dev.millrace.cli.output.LogLines;
import dev.millrace.cli.output.Terminal;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code millrace runs logs}: what the jobs of a run printed. */
@Command(name = "logs", description = "Print what the jobs of a run printed.")
public final class RunsLogsCommand extends ClientCommand {
    private static final int CHUNKS_MAX = 1_000_000;

    private final LogLines lines = new LogLines();

    @Parameters(paramLabel = "ID", description = "Id of the run.")
    private String runId = "";

    @Option(
            names = {"-f", "--follow"},
            description = "Go on until the run has ended.")
    private boolean isFollowing;

    @Option(names = "--step", paramLabel = "KEY", description = "Only this step, for example count[3].")
    private @Nullable String stepKey;

    public RunsLogsCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        if (isFollowing) {
            new RunFollower(client, runId, true).follow((name, data) -> {
                if (name.equals("log")) {
                    show(data);
                }
            });
        } else {
            List<JsonNode> chunks = client.list(ApiPath.of("/runs").child(runId).then("/logs"), CHUNKS_MAX);
            if (wantsJson()) {
                ObjectNode all = Json.object();
                chunks.stream().filter(this::isWanted).forEach(all.putArray("items")::add);
                printJson(all);
            } else {
                chunks.forEach(this::show);
            }
        }
        lines.rest().forEach(this::printLine);
        return ExitCode.OK;
    }

    private boolean isWanted(JsonNode chunk) {
        return stepKey == null || LogChunk.of(chunk).stepKey().equals(stepKey);
    }

    private void show(JsonNode chunk) {
        if (!isWanted(chunk)) {
            return;
        }
        if (wantsJson()) {
            print(Json.compact(chunk));
        } else {
            lines.add(LogChunk.of(chunk)).forEach(this::printLine);
        }
    }

    private void printLine(LogLines.Line line) {
        String name = line.stepKey().isEmpty() ? "" : ControlCharacters.line(line.stepKey()) + " | ";
        print(terminal().paint().dim(name) + line.text());
    }
}
