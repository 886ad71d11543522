package dev.millrace.cli.run;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.ApiPath;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.definition.FlowFile;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** Options of commands that may run another version of a flow. */
final class OtherVersion {
    @ArgGroup
    private @Nullable Choice choice;

    /** The version, named in one of three ways. */
    static final class Choice {
        @Option(names = "--deployed", description = "Run the version that is deployed now.")
        private boolean isDeployed;

        @Option(
                names = "--flow-file",
                paramLabel = "FILE",
                description = "Run the flow in this file, with the scripts beside it, without deploying it.")
        private @Nullable Path file;

        @Option(names = "--flow-hash", paramLabel = "HASH", description = "Run the version with this hash.")
        private @Nullable String hash;
    }

    /** Fails if another version is given, since many runs cannot share one. */
    void requireNone() {
        if (choice != null) {
            throw new CommandFailure(
                    ExitCode.USAGE,
                    "Another version can be given to one run only: leave --deployed, --flow-file and --flow-hash out,"
                            + " or name one run.");
        }
    }

    /**
     * Adds the version, if there is another one, to a request body.
     *
     * @param run id of the run that runs again
     * @param notices receives a line for each request of a definition that has no effect
     */
    void addTo(ObjectNode body, MillraceClient client, String run, Consumer<String> notices) {
        if (choice != null) {
            body.put("flow_hash", hash(choice, client, run, notices));
        }
    }

    private static String hash(Choice choice, MillraceClient client, String run, Consumer<String> notices) {
        if (choice.isDeployed) {
            String flow = Json.text(client.get(ApiPath.of("/runs").child(run)), "name");
            return Json.text(client.get(ApiPath.of("/flows").child(flow)), "hash");
        }
        if (choice.file != null) {
            return FlowFile.read(choice.file).store(client, notices);
        }
        return requireNonNull(choice.hash, "hash");
    }
}
