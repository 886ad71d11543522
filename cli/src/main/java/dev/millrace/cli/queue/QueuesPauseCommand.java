package dev.millrace.cli.queue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Launcher;
import dev.millrace.cli.output.Terminal;
import dev.millrace.cli.output.Times;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code millrace queues pause}: pauses a tag. */
@Command(
        name = "pause",
        description = "Pause a tag in all workspaces: workers get no more of its jobs; for owners of the installation.")
public final class QueuesPauseCommand extends ClientCommand {
    @Parameters(index = "0", paramLabel = "TAG", description = "Tag as steps and workers name it, such as python.")
    private String tag = "";

    @Option(names = "--reason", paramLabel = "TEXT", description = "Why, for those who ask why their jobs wait.")
    private @Nullable String reason;

    @Option(
            names = "--for",
            paramLabel = "TIME",
            description = "How long, such as 90m; without it, until somebody resumes the tag.")
    private @Nullable String length;

    public QueuesPauseCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        ObjectNode body = Json.object().put("tag", tag);
        if (reason != null) {
            body.put("reason", reason);
        }
        if (length != null) {
            body.put("length", length);
        }
        JsonNode paused = client.post(QueueText.QUEUES.then(":pause"), body);
        String until = Json.text(paused.path("pause"), "until_time");
        printResult(
                paused,
                "Paused the tag " + tag + ". Jobs that workers have got go on. "
                        + (until.isEmpty()
                                ? "Resume it with: " + Launcher.NAME + " queues resume " + tag
                                : "It resumes by itself at " + Times.text(until) + "."));
        return ExitCode.OK;
    }
}
