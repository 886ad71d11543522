package dev.millrace.cli.workspace;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Terminal;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code millrace quotas set}: changes quotas of a workspace. */
@Command(
        name = "set",
        description =
                "Change the quotas that the options name, where 0 means no limit; for owners of the installation.")
public final class QuotasSetCommand extends ClientCommand {
    @Option(names = "--submits-per-second", paramLabel = "N", description = "Submitted runs a second.")
    private @Nullable Long submits;

    @Option(names = "--queued-jobs", paramLabel = "N", description = "Jobs that wait or run.")
    private @Nullable Long queuedJobs;

    @Option(names = "--open-streams", paramLabel = "N", description = "Streams that callers keep open.")
    private @Nullable Long openStreams;

    @Option(names = "--log-bytes-per-second", paramLabel = "N", description = "Bytes of log a second.")
    private @Nullable Long logBytes;

    @Option(
            names = "--payload-bytes-per-second",
            paramLabel = "N",
            description = "Bytes a second of inputs, signals and answers.")
    private @Nullable Long payloadBytes;

    @Option(names = "--blob-bytes", paramLabel = "N", description = "Bytes of all blobs.")
    private @Nullable Long blobBytes;

    public QuotasSetCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        ObjectNode changes = Json.object();
        for (Quota quota : Quota.values()) {
            Long value = given(quota);
            if (value != null) {
                changes.put(quota.limit(), value);
            }
        }
        if (changes.isEmpty()) {
            throw new CommandFailure(ExitCode.USAGE, "No quota is named. Add one, such as --queued-jobs 10000.");
        }
        // The server replaces all quotas, so those that stay are sent back.
        ObjectNode all = Json.object();
        client.get(QuotasGetCommand.QUOTAS)
                .path("quotas")
                .properties()
                .forEach(each -> all.set(each.getKey(), each.getValue()));
        all.setAll(changes);
        printResult(
                client.put(QuotasGetCommand.QUOTAS, all),
                "Changed the quotas of the workspace " + client.workspace() + ".");
        return ExitCode.OK;
    }

    private @Nullable Long given(Quota quota) {
        return switch (quota) {
            case SUBMITS -> submits;
            case QUEUED_JOBS -> queuedJobs;
            case OPEN_STREAMS -> openStreams;
            case LOG_BYTES -> logBytes;
            case PAYLOAD_BYTES -> payloadBytes;
            case BLOB_BYTES -> blobBytes;
        };
    }
}
