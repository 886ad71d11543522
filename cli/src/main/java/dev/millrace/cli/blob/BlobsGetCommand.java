package dev.millrace.cli.blob;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Terminal;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code millrace blobs get}: downloads a blob. */
@Command(
        name = "get",
        description = "Write the bytes of a blob to a file or to standard output.",
        footer = {
            "",
            "If the connection breaks, the command continues where it was. If the command itself is interrupted, the same",
            "command with the same file continues, too.",
            "",
            "Examples:",
            "  millrace blobs get 019a9f3e-7c1d-7d2a-8b3c-5f2e9d1c0a41 --to photo.png",
            "  millrace blobs get 019a9f3e-7c1d-7d2a-8b3c-5f2e9d1c0a41 | tar -xz"
        })
public final class BlobsGetCommand extends ClientCommand {
    private static final String STANDARD_OUTPUT = "-";

    @Parameters(paramLabel = "ID", description = "Id of the blob, which its reference has as $blob.")
    private String id = "";

    @Option(
            names = "--to",
            paramLabel = "FILE",
            description = "File to write, - for standard output (default: standard output unless it is a terminal).")
    private @Nullable String target;

    public BlobsGetCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        BlobDownload download = new BlobDownload(client, terminal(), id);
        if (target != null && !target.equals(STANDARD_OUTPUT)) {
            long bytes = download.to(Path.of(target));
            ObjectNode result = Json.object();
            result.put("$blob", id).put("bytes", bytes).put("file", target);
            printResult(result, "Wrote " + bytes + " bytes to " + target + ".");
            return ExitCode.OK;
        }
        if (wantsJson() || (target == null && terminal().isInteractive())) {
            throw new CommandFailure(
                    ExitCode.USAGE,
                    "The bytes of the blob would go to " + (wantsJson() ? "where the JSON goes" : "the terminal")
                            + ". Name a file with: --to FILE");
        }
        terminal().showRaw();
        download.to(terminal().out());
        return ExitCode.OK;
    }
}
