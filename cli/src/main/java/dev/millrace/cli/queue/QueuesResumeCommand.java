package dev.millrace.cli.queue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Terminal;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code millrace queues resume}: resumes a tag. */
@Command(name = "resume", description = "Resume a tag that was paused; for owners of the installation.")
public final class QueuesResumeCommand extends ClientCommand {
    @Parameters(index = "0", paramLabel = "TAG", description = "Tag as steps and workers name it, such as python.")
    private String tag = "";

    public QueuesResumeCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        JsonNode resumed =
                client.post(QueueText.QUEUES.then(":resume"), Json.object().put("tag", tag));
        printResult(
                resumed,
                resumed.has("pause")
                        ? "Resumed the tag " + tag + ", which was paused " + QueueText.pause(resumed) + "."
                        : "The tag " + tag + " was not paused.");
        return ExitCode.OK;
    }
}
