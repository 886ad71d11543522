package dev.millrace.cli.definition;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.client.Run;
import dev.millrace.cli.client.RunError;
import dev.millrace.cli.client.RunFollower;
import dev.millrace.cli.client.State;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * A run that a deployment has started, which prepares a script: it chooses packages, checks types or reads the signature.
 *
 * @param path of the script or flow that was deployed
 * @param run id of the run
 */
public record Preparation(String path, String run) {
    public Preparation {
        requireNonNull(path, "path");
        requireNonNull(run, "run");
    }

    /** The preparations that the answer to a deployment names. */
    public static List<Preparation> of(JsonNode deployed) {
        String path = deployed.path("path").asText();
        return Stream.concat(
                        Stream.of("package_run_id", "schema_run_id")
                                .map(key -> deployed.path(key).asText()),
                        deployed.path("preparation_run_ids").valueStream().map(JsonNode::asText))
                .filter(run -> !run.isEmpty())
                .distinct()
                .map(run -> new Preparation(path, run))
                .toList();
    }

    /** What is known about a preparation after a while. */
    sealed interface Standing {
        /** The run has found nothing wrong. */
        record InOrder() implements Standing {}

        /**
         * The run has found something wrong.
         *
         * @param message what it has found
         */
        record Wrong(String message) implements Standing {}

        /** The run has not ended. */
        record Open() implements Standing {}
    }

    /** Waits at most so long for the end of the run. A server that cannot be reached leaves the preparation open. */
    Standing awaitBriefly(MillraceClient client, Duration most) throws InterruptedException {
        FutureTask<Optional<String>> ended = new FutureTask<>(() -> await(client, line -> {}));
        Thread.ofVirtual().name("millrace-preparation").start(ended);
        try {
            return ended.get(most.toNanos(), TimeUnit.NANOSECONDS)
                    .<Standing>map(Standing.Wrong::new)
                    .orElseGet(Standing.InOrder::new);
        } catch (TimeoutException | ExecutionException open) {
            return new Standing.Open();
        }
    }

    /**
     * Waits for the end of the run.
     *
     * @param log takes the lines of its log
     * @return what is wrong; empty if nothing is
     */
    public Optional<String> await(MillraceClient client, Consumer<String> log) {
        Run ended = new RunFollower(client, run, true).follow((name, event) -> {
            if (name.equals("log")) {
                log.accept(event.path("text").asText().stripTrailing());
            }
        });
        return ended.state() == State.SUCCEEDED
                ? Optional.empty()
                : Optional.of(ended.error()
                        .map(RunError::message)
                        .orElse("The run " + run + ", which prepares " + path
                                + ", was canceled: no worker may have taken"
                                + " it. The first job does what it should have done."));
    }
}
