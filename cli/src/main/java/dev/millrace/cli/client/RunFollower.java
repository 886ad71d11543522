package dev.millrace.cli.client;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.output.Launcher;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Follows a run to its end over server-sent events. If the connection breaks, it reconnects: the server then sends the
 * current state, and the follower drops log chunks that it has passed on before. Not thread-safe.
 */
public final class RunFollower {
    private static final int RECONNECTS_MAX = 20;
    private static final Duration RECONNECT_DELAY = Duration.ofMillis(500);

    private final MillraceClient client;
    private final String runId;
    private final boolean withLogs;
    private final boolean foldsLoops;
    private final Map<String, Long> nextSequence = new HashMap<>();
    private boolean hasEnded;
    private int reconnects;

    /** Follows a run without the steps inside large loops. */
    public RunFollower(MillraceClient client, String runId, boolean withLogs) {
        this(client, runId, withLogs, true);
    }

    /** @param foldsLoops whether the steps inside loops of more than 20 iterations are left out */
    public RunFollower(MillraceClient client, String runId, boolean withLogs, boolean foldsLoops) {
        this.client = client;
        this.runId = runId;
        this.withLogs = withLogs;
        this.foldsLoops = foldsLoops;
    }

    /** Passes all events to the listener until the run has ended, and returns the run with its output. */
    public Run follow(RunEventListener listener) {
        while (!hasEnded) {
            try (SseReader events = open()) {
                readAll(events, listener);
            } catch (IOException broken) {
                // Reconnects below.
            }
            if (!hasEnded) {
                pauseBeforeReconnect();
            }
        }
        return Run.of(client.get(ApiPath.of("/runs").child(runId)));
    }

    private SseReader open() {
        try {
            return client.stream(ApiPath.of("/runs")
                    .child(runId)
                    .then("/events")
                    .with("include_logs", String.valueOf(withLogs))
                    .with("fold_loops", String.valueOf(foldsLoops)));
        } catch (CommandFailure failure) {
            // The first connection fails at once; later ones are retried, because the server may be restarting.
            if (failure.exitCode() != ExitCode.UNREACHABLE || reconnects == 0 || reconnects >= RECONNECTS_MAX) {
                throw failure;
            }
            return new SseReader(InputStream.nullInputStream());
        }
    }

    private void readAll(SseReader events, RunEventListener listener) throws IOException {
        for (Optional<SseEvent> event = events.next(); event.isPresent(); event = events.next()) {
            reconnects = 0;
            String name = event.get().name();
            if (name.equals("end")) {
                return;
            }
            Json.parse(event.get().data()).ifPresent(data -> tell(name, data, listener));
        }
    }

    private void tell(String name, JsonNode data, RunEventListener listener) {
        if (name.equals("log") && !isNew(data)) {
            return;
        }
        listener.event(name, data);
        if (name.equals("run")) {
            hasEnded = Run.of(data).state().isFinal();
        }
    }

    private boolean isNew(JsonNode chunk) {
        String attempt = Json.text(chunk, "job_id") + "/" + Json.text(chunk, "attempt");
        long sequence = chunk.path("sequence").asLong();
        if (sequence < nextSequence.getOrDefault(attempt, 0L)) {
            return false;
        }
        nextSequence.put(attempt, sequence + 1);
        return true;
    }

    private void pauseBeforeReconnect() {
        reconnects++;
        if (reconnects > RECONNECTS_MAX) {
            throw new CommandFailure(
                    ExitCode.UNREACHABLE,
                    "The server ended the event stream of run " + runId + " before the run ended."
                            + " Show the run with: " + Launcher.NAME + " runs get " + runId);
        }
        try {
            Thread.sleep(RECONNECT_DELAY);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailure(ExitCode.INTERRUPTED, "The command was interrupted.", e);
        }
    }
}
