package dev.millrace.cli.blob;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Terminal;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code millrace blobs put}: uploads a file. */
@Command(
        name = "put",
        description = "Store a file, and print the reference that inputs take in its place.",
        footer = {
            "",
            "Examples:",
            "  millrace blobs put photo.png",
            "  pg_dump shop | millrace blobs put - --media-type application/sql"
        })
public final class BlobsPutCommand extends ClientCommand {
    @Parameters(paramLabel = "FILE", description = "File, - for standard input.")
    private String file = "";

    @Option(
            names = "--media-type",
            paramLabel = "TYPE",
            description = "What the bytes are, such as image/png (default: what the name of the file says).")
    private @Nullable String mediaType;

    public BlobsPutCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        JsonNode blob = new BlobUploads(client, terminal()).put(file, Optional.ofNullable(mediaType));
        printResult(blob, Json.compact(blob));
        return ExitCode.OK;
    }
}
