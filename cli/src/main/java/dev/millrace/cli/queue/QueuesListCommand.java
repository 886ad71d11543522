package dev.millrace.cli.queue;

import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Launcher;
import dev.millrace.cli.output.Table;
import dev.millrace.cli.output.Terminal;
import java.time.Instant;
import picocli.CommandLine.Command;

/** {@code millrace queues list}: lists the queues of tags. */
@Command(name = "list", description = "List the queues of tags: what waits, what runs, and what is paused.")
public final class QueuesListCommand extends ClientCommand {
    public QueuesListCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        Instant now = Instant.now();
        Table table = new Table(
                "TAG", "WAITING>", "OLDEST>", "RUNNING>", "SLOTS>", "IN/S>", "OUT/S>", "PAUSED", "WORKSPACE?");
        printList(
                QueueText.read(client),
                "No queue has jobs or workers. Start a worker with: " + Launcher.NAME + " worker",
                table,
                queue -> table.row(
                        Json.text(queue, "tag"),
                        QueueText.counted(queue),
                        QueueText.age(queue, "oldest_time", now),
                        queue.path("running").asText(),
                        queue.path("slots").asText(),
                        QueueText.rate(queue, "enqueued_per_second"),
                        QueueText.rate(queue, "leased_per_second"),
                        QueueText.pause(queue),
                        Json.text(queue, "workspace")));
        return ExitCode.OK;
    }
}
