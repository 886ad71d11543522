package dev.millrace.cli.queue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Terminal;
import java.time.Instant;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code millrace queues get}: shows one queue, and why its jobs wait. */
@Command(name = "get", description = "Show the queue of a tag, and why its jobs wait.")
public final class QueuesGetCommand extends ClientCommand {
    @Parameters(index = "0", paramLabel = "TAG", description = "Tag as steps and workers name it, such as python.")
    private String tag = "";

    public QueuesGetCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        List<JsonNode> queues = QueueText.read(client).stream()
                .filter(queue -> Json.text(queue, "tag").equals(tag))
                .toList();
        if (queues.isEmpty()) {
            throw new CommandFailure(
                    ExitCode.NOT_FOUND,
                    "No job waits or runs with the tag \"" + tag
                            + "\", no connected worker takes such jobs, and it is not"
                            + " paused. `millrace queues list` lists all tags.");
        }
        if (wantsJson()) {
            // A workspace may have a queue of its own beside the one that others share.
            queues.forEach(this::printJson);
            return ExitCode.OK;
        }
        queues.forEach(queue -> show(queue, Instant.now()));
        return ExitCode.OK;
    }

    private void show(JsonNode queue, Instant now) {
        String workspace = Json.text(queue, "workspace");
        String oldest = QueueText.age(queue, "oldest_time", now);
        print(tag + (workspace.isEmpty() ? "" : " of the workspace " + workspace) + ": "
                + QueueText.counted(queue) + " waiting"
                + (oldest.isEmpty() ? "" : ", the oldest for " + oldest)
                + "; " + queue.path("running").asText() + " running; "
                + queue.path("slots").asText() + " slots of "
                + queue.path("workers").asText() + " workers");
        String pause = QueueText.pause(queue);
        if (!pause.isEmpty()) {
            print("Paused " + pause);
        }
        queue.path("reasons").forEach(reason -> print(reason.asText()));
    }
}
