package dev.millrace.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.ApiPath;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.client.SseEvent;
import dev.millrace.cli.client.SseReader;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Follows the runs of a list as they change, until interrupted. If the connection breaks, it goes on at the last position.
 * Not thread-safe.
 */
final class RunListFollower {
    private static final int RECONNECTS_MAX = 120;
    private static final Duration RECONNECT_DELAY = Duration.ofMillis(500);

    private final MillraceClient client;
    private final ApiPath path;
    private @Nullable String position;
    private int reconnects;

    /** @param path address with the filter */
    RunListFollower(MillraceClient client, ApiPath path) {
        this.client = client;
        this.path = path;
    }

    /** @param onGap receives why changes may be missing */
    void follow(Consumer<JsonNode> onRun, Consumer<String> onGap) {
        while (true) {
            try (SseReader events = open()) {
                readAll(events, onRun, onGap);
            } catch (IOException broken) {
                // Goes on at the position below.
            }
            pause();
        }
    }

    private SseReader open() {
        try {
            return client.stream(path.withIfGiven("after_position", position));
        } catch (CommandFailure failure) {
            // The first connection fails at once; later ones are retried, because the server may be restarting.
            if (failure.exitCode() != ExitCode.UNREACHABLE || reconnects == 0) {
                throw failure;
            }
            return new SseReader(InputStream.nullInputStream());
        }
    }

    private void readAll(SseReader events, Consumer<JsonNode> onRun, Consumer<String> onGap) throws IOException {
        for (Optional<SseEvent> event = events.next(); event.isPresent(); event = events.next()) {
            Optional<JsonNode> data = Json.parse(event.get().data());
            String name = event.get().name();
            if (name.equals("error") || name.equals("end") || data.isEmpty()) {
                return;
            }
            reconnects = 0;
            if (name.equals("run") || name.equals("left")) {
                onRun.accept(data.get());
            } else if (name.equals("gap")) {
                onGap.accept(Json.text(data.get(), "reason"));
            }
            position = event.get().id();
        }
    }

    private void pause() {
        reconnects++;
        if (reconnects > RECONNECTS_MAX) {
            throw new CommandFailure(ExitCode.UNREACHABLE, "The server cannot be reached any more.");
        }
        try {
            Thread.sleep(RECONNECT_DELAY);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailure(ExitCode.INTERRUPTED, "The command was interrupted.", e);
        }
    }
}
