package dev.millrace.cli.trigger;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.ApiPath;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Terminal;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code millrace triggers test}: shows what a call of a webhook would become. */
@Command(
        name = "test",
        description = "Show the input that a call of a webhook would give to its run. Checks no signature and starts"
                + " nothing.")
public final class TriggersTestCommand extends ClientCommand {
    @Parameters(index = "0", paramLabel = "PATH", description = "Path of the webhook.")
    private String path = "";

    @Parameters(index = "1", paramLabel = "FILE", description = "File with the body; - reads standard input.")
    private String file = "";

    @Option(
            names = "--content-type",
            paramLabel = "TYPE",
            description = "Content type of the body (default: ${DEFAULT-VALUE}).")
    private String type = "application/json";

    public TriggersTestCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        byte[] body = body();
        JsonNode tested = client.upload(
                ApiPath.of("/webhook-tests").child(path),
                type,
                new ByteArrayInputStream(body),
                OptionalLong.of(body.length));
        printJson(wantsJson() ? tested : tested.path("input"));
        return ExitCode.OK;
    }

    private byte[] body() {
        try {
            return file.equals("-") ? terminal().in().readAllBytes() : Files.readAllBytes(Path.of(file));
        } catch (IOException e) {
            throw new CommandFailure(
                    ExitCode.NOT_FOUND, "The file " + file + " cannot be read. Check its path and permissions.", e);
        }
    }
}
