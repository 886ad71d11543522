package dev.millrace.cli.run;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.cli.client.ApiPath;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.definition.FlowFile;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.function.Supplier;
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

    /**
     * Adds the version, if there is another one, to a request body.
     *
     * @param flow finds the path of the flow; called for {@code --deployed} only
     * @param notices receives a line for each request of a definition that has no effect
     */
    void addTo(ObjectNode body, MillraceClient client, Supplier<String> flow, Consumer<String> notices) {
        if (choice != null) {
            body.put("flow_hash", hash(choice, client, flow, notices));
        }
    }

    /** Path of the flow of a run. */
    static String flowOf(MillraceClient client, String run) {
        return Json.text(client.get(ApiPath.of("/runs").child(run)), "name");
    }

    private static String hash(Choice choice, MillraceClient client, Supplier<String> flow, Consumer<String> notices) {
        if (choice.isDeployed) {
            return Json.text(client.get(ApiPath.of("/flows").child(flow.get())), "hash");
        }
        if (choice.file != null) {
            return FlowFile.read(choice.file).store(client, notices);
        }
        return requireNonNull(choice.hash, "hash");
    }
}
