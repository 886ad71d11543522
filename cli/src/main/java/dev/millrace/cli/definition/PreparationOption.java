package dev.millrace.cli.definition;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Launcher;
import dev.millrace.cli.output.Terminal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Whether a deployment waits for the runs that prepare what it has deployed. */
final class PreparationOption {
    /** Longest time in which a deployment waits unasked: a check of the syntax takes some tenths of a second. */
    private static final Duration BRIEFLY = Duration.ofSeconds(2);

    /** Number of preparations that are named. */
    private static final int NAMED_MAX = 3;

    @Option(
            names = "--wait",
            description =
                    "Wait until packages are chosen and installed, and syntax and types are checked. Show the progress, and"
                            + " fail if that fails.")
    private boolean waits;

    /**
     * Ends a deployment: waits for its preparations, or warns of what they find at once and says how to watch the others.
     *
     * @param deployed answers to the deployments
     * @throws CommandFailure if it waits, and something is wrong with what was deployed
     */
    void end(Terminal terminal, MillraceClient client, Iterable<JsonNode> deployed) {
        if (!waits) {
            List<Preparation> open = open(terminal, client, deployed);
            open.stream()
                    .limit(NAMED_MAX)
                    .forEach(preparation -> terminal.err()
                            .println("Its packages and types are being prepared: " + Launcher.NAME + " runs watch "
                                    + preparation.run()));
            if (open.size() > NAMED_MAX) {
                terminal.err()
                        .println((open.size() - NAMED_MAX) + " more preparations: " + Launcher.NAME
                                + " runs list --kind preparation");
            }
            return;
        }
        for (JsonNode one : deployed) {
            for (Preparation preparation : Preparation.of(one)) {
                Optional<String> wrong = preparation.await(client, terminal.err()::println);
                if (wrong.isPresent()) {
                    throw new CommandFailure(ExitCode.RUN_FAILED, wrong.get());
                }
            }
        }
    }

    /** Warns of what is found within a short time, and returns the preparations that go on but those that only read a signature. */
    private static List<Preparation> open(Terminal terminal, MillraceClient client, Iterable<JsonNode> deployed) {
        long deadline = System.nanoTime() + BRIEFLY.toNanos();
        List<Preparation> open = new ArrayList<>();
        for (JsonNode one : deployed) {
            for (Preparation preparation : Preparation.of(one)) {
                Duration rest = Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
                switch (awaitBriefly(preparation, client, rest)) {
                    case Preparation.Standing.InOrder _ -> {}
                    case Preparation.Standing.Wrong(String message) ->
                        terminal.err().println("warning: " + message);
                    case Preparation.Standing.Open _ -> {
                        if (!isSchemaAlone(one, preparation)) {
                            open.add(preparation);
                        }
                    }
                }
            }
        }
        return open;
    }

    private static Preparation.Standing awaitBriefly(Preparation preparation, MillraceClient client, Duration rest) {
        try {
            return preparation.awaitBriefly(client, rest);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailure(ExitCode.INTERRUPTED, "The command was interrupted.", e);
        }
    }

    /** Whether a run only reads a signature, which takes no time. */
    private static boolean isSchemaAlone(JsonNode deployed, Preparation preparation) {
        return preparation.run().equals(deployed.path("schema_run_id").asText())
                && !preparation.run().equals(deployed.path("package_run_id").asText());
    }
}
