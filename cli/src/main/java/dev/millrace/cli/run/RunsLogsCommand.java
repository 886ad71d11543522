package dev.millrace.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.CommandFailure;
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

/** {@code millrace runs logs}: prints the output of a run's jobs. */
@Command(name = "logs", description = "Print what the jobs of a run printed.")
public final class RunsLogsCommand extends ClientCommand {
    private static final int CHUNKS_MAX = 1_000_000;

    /** Number of steps searched for one that has printed nothing. */
    private static final int STEPS_MAX = 1_000_000;

    private final LogLines lines = new LogLines();
    private boolean hasShown;

    @Parameters(paramLabel = "ID", description = "Id of the run: " + RunIds.FORMS + ".")
    private String runId = "";

    @Option(
            names = {"-f", "--follow"},
            description = "Continue until the run has ended.")
    private boolean isFollowing;

    @Option(
            names = "--step",
            paramLabel = "STEP",
            description = "Only this step and those inside it, for example count or count[3].")
    private @Nullable String step;

    public RunsLogsCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        runId = RunIds.find(client, runId);
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
                hasShown = !all.path("items").isEmpty();
                printJson(all);
            } else {
                chunks.forEach(this::show);
            }
        }
        lines.rest().forEach(this::printLine);
        if (step != null && !hasShown) {
            explainSilence(client, step);
        }
        return ExitCode.OK;
    }

    /** Tells an unknown step from one that has printed nothing, so that a misspelled key is noticed. */
    private void explainSilence(MillraceClient client, String key) {
        boolean isKnown = client.list(ApiPath.of("/runs").child(runId).then("/steps"), STEPS_MAX).stream()
                .anyMatch(step -> isInside(Json.text(step, "key"), key));
        if (!isKnown) {
            throw new CommandFailure(
                    ExitCode.NOT_FOUND,
                    "No step \"" + key + "\" of run " + runId
                            + " has begun. List those that have with: ./millrace runs get " + runId);
        }
        terminal().err().println("Step \"" + key + "\" has printed nothing.");
    }

    private boolean isWanted(JsonNode chunk) {
        return step == null || isInside(LogChunk.of(chunk).step(), step);
    }

    private static boolean isInside(String key, String outer) {
        return key.equals(outer) || key.startsWith(outer + "[") || key.startsWith(outer + ".");
    }

    private void show(JsonNode chunk) {
        if (!isWanted(chunk)) {
            return;
        }
        hasShown = true;
        if (wantsJson()) {
            print(Json.compact(chunk));
        } else {
            lines.add(LogChunk.of(chunk)).forEach(this::printLine);
        }
    }

    private void printLine(LogLines.Line line) {
        String name = line.step().isEmpty() ? "" : ControlCharacters.line(line.step()) + " | ";
        print(terminal().paint().dim(name) + line.text());
    }
}
