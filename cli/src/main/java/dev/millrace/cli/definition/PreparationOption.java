package dev.millrace.cli.definition;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Launcher;
import dev.millrace.cli.output.Terminal;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Whether a deployment waits for the runs that prepare what it has deployed. */
final class PreparationOption {
    @Option(
            names = "--wait",
            description =
                    "Wait until packages are chosen and installed, and syntax and types are checked. Show the progress, and"
                            + " fail if that fails.")
    private boolean waits;

    /**
     * Ends a deployment: waits for its preparations, or says how to watch them.
     *
     * @throws CommandFailure if it waits, and something is wrong with what was deployed
     */
    void end(Terminal terminal, MillraceClient client, JsonNode deployed) {
        List<Preparation> preparations = Preparation.of(deployed);
        if (!waits) {
            preparations.stream()
                    .filter(preparation -> !isSchemaAlone(deployed, preparation))
                    .forEach(preparation -> terminal.err()
                            .println("Its packages and types are being prepared: " + Launcher.NAME + " runs watch "
                                    + preparation.run()));
            return;
        }
        for (Preparation preparation : preparations) {
            Optional<String> wrong = preparation.await(client, terminal.err()::println);
            if (wrong.isPresent()) {
                throw new CommandFailure(ExitCode.RUN_FAILED, wrong.get());
            }
        }
    }

    /** Whether a run only reads a signature, which takes no time. */
    private static boolean isSchemaAlone(JsonNode deployed, Preparation preparation) {
        return preparation.run().equals(deployed.path("schema_run_id").asText())
                && !preparation.run().equals(deployed.path("package_run_id").asText());
    }
}
