package dev.millrace.cli.event;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.ApiPath;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.client.SseEvent;
import dev.millrace.cli.client.SseReader;
import dev.millrace.cli.output.Launcher;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Follows the events of a workspace. If the connection breaks, it goes on at the last position, so no event is missed;
 * events that come again are dropped by their ids. Not thread-safe.
 */
final class EventFollower {
    private static final int RECONNECTS_MAX = 120;
    private static final Duration RECONNECT_DELAY = Duration.ofMillis(500);
    /** Number of ids that are remembered: more than a server sends again. */
    private static final int IDS_MAX = 1_000;

    private final MillraceClient client;
    private final ApiPath path;
    private final SequencedSet<String> seen = new LinkedHashSet<>();
    private @Nullable String position;
    private boolean fromOldest;
    private boolean hasEnded;
    private int reconnects;

    /** @param path address with the filter, without a position */
    EventFollower(MillraceClient client, ApiPath path, @Nullable String position, boolean fromOldest) {
        this.client = client;
        this.path = path;
        this.position = position;
        this.fromOldest = fromOldest;
    }

    /** Passes events, and why some may be missing, until the stream ends by itself. */
    void follow(Consumer<JsonNode> onEvent, Consumer<JsonNode> onGap) {
        while (!hasEnded) {
            try (SseReader events = open()) {
                readAll(events, onEvent, onGap);
            } catch (IOException broken) {
                // Goes on at the position below.
            }
            if (!hasEnded) {
                pause();
            }
        }
    }

    private SseReader open() {
        ApiPath from = path.withIfGiven("after_position", position);
        try {
            return client.stream(fromOldest ? from.with("from_oldest", "true") : from);
        } catch (CommandFailure failure) {
            // The first connection fails at once; later ones are retried, because the server may be restarting.
            if (failure.exitCode() != ExitCode.UNREACHABLE || reconnects == 0) {
                throw failure;
            }
            return new SseReader(InputStream.nullInputStream());
        }
    }

    private void readAll(SseReader events, Consumer<JsonNode> onEvent, Consumer<JsonNode> onGap) throws IOException {
        for (Optional<SseEvent> event = events.next(); event.isPresent(); event = events.next()) {
            String name = event.get().name();
            if (name.equals("end")) {
                hasEnded = true;
                return;
            }
            Optional<JsonNode> data = Json.parse(event.get().data());
            if (name.equals("error") || data.isEmpty()) {
                return;
            }
            reconnects = 0;
            if (name.equals("event") && isNew(Json.text(data.get(), "id"))) {
                onEvent.accept(data.get());
            } else if (name.equals("gap")) {
                onGap.accept(data.get());
            }
            position = Json.text(data.get(), "position");
            fromOldest = false;
        }
    }

    private boolean isNew(String id) {
        if (!seen.add(id)) {
            return false;
        }
        if (seen.size() > IDS_MAX) {
            seen.remove(seen.getFirst());
        }
        return true;
    }

    private void pause() {
        reconnects++;
        if (reconnects > RECONNECTS_MAX) {
            throw new CommandFailure(
                    ExitCode.UNREACHABLE,
                    "The server cannot be reached any more."
                            + (position == null
                                    ? ""
                                    : " Go on later with: " + Launcher.NAME + " events --from " + position));
        }
        try {
            Thread.sleep(RECONNECT_DELAY);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailure(ExitCode.INTERRUPTED, "The command was interrupted.", e);
        }
    }
}
