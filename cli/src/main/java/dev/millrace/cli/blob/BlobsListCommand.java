package dev.millrace.cli.blob;

import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Launcher;
import dev.millrace.cli.output.Table;
import dev.millrace.cli.output.Terminal;
import dev.millrace.cli.output.Times;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code millrace blobs list}: lists blobs. */
@Command(name = "list", description = "List the blobs of the workspace, the newest first.")
public final class BlobsListCommand extends ClientCommand {
    private static final int LIMIT_DEFAULT = 50;

    @Option(names = "--limit", paramLabel = "N", description = "Most blobs to list (default: ${DEFAULT-VALUE}).")
    private int limit = LIMIT_DEFAULT;

    public BlobsListCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        Table table = new Table("ID!", "BYTES>", "MEDIA TYPE", "CREATED?", "USED BY RUNS?");
        printList(
                client.list(BlobUploads.BLOBS, Math.max(1, limit)),
                "There is no blob. Store a file with: " + Launcher.NAME + " blobs put FILE",
                table,
                blob -> table.row(
                        Json.text(blob, "$blob"),
                        Json.text(blob, "bytes"),
                        Json.text(blob, "media_type"),
                        Times.text(Json.text(blob, "create_time")),
                        blob.path("is_used").asBoolean() ? "yes" : "no"));
        return ExitCode.OK;
    }
}
