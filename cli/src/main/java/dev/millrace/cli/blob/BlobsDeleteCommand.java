package dev.millrace.cli.blob;

import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Terminal;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code millrace blobs delete}: deletes a blob. */
@Command(name = "delete", description = "Delete a blob, even if runs use it: their jobs no longer find it.")
public final class BlobsDeleteCommand extends ClientCommand {
    @Parameters(paramLabel = "ID", description = "Id of the blob, which its reference has as $blob.")
    private String id = "";

    public BlobsDeleteCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        printResult(client.delete(BlobUploads.BLOBS.child(id)), "Deleted the blob " + id + ".");
        return ExitCode.OK;
    }
}
