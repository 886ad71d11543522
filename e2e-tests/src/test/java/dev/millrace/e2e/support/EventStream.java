package dev.millrace.e2e.support;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.contract.CheckedEvents;
import dev.millrace.contract.Contract;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Server-sent events of one call, collected by a separate thread. Thread-safe. */
public final class EventStream implements AutoCloseable {
    /** One event. */
    public record Event(String type, JsonNode data) {}

    private final List<Event> events = new ArrayList<>();
    private final InputStream stream;
    private boolean ended;
    /** What the OpenAPI document does not describe; null if there is nothing. */
    private @Nullable AssertionError undescribed;

    private EventStream(InputStream stream) {
        this.stream = stream;
        Thread.ofVirtual().name("events").start(this::read);
    }

    static EventStream open(HttpClient http, HttpRequest request, Contract contract) {
        try {
            HttpResponse<InputStream> response = http.send(request, CheckedEvents.handler(contract, request.uri()));
            if (response.statusCode() != 200) {
                throw new AssertionError(request.uri() + " answered " + response.statusCode() + ": "
                        + new String(response.body().readAllBytes(), StandardCharsets.UTF_8));
            }
            return new EventStream(response.body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while opening " + request.uri() + ".", e);
        }
    }

    /** Waits for the nth matching event, counted from 1, including events that have already arrived. */
    public synchronized Event awaitNth(int n, String awaited, Duration limit, Predicate<Event> fits) {
        long deadline = System.nanoTime() + limit.toNanos();
        while (true) {
            List<Event> found = events.stream().filter(fits).limit(n).toList();
            if (found.size() == n) {
                return found.getLast();
            }
            failIfUndescribed();
            long left = deadline - System.nanoTime();
            if (left <= 0 || ended) {
                throw new AssertionError((ended ? "The stream ended" : "Waited " + limit.toSeconds() + " s in vain")
                        + " before " + awaited + " (" + found.size() + " of " + n + "). Events: " + events);
            }
            awaitChange(left);
        }
    }

    public Event await(String awaited, Duration limit, Predicate<Event> fits) {
        return awaitNth(1, awaited, limit, fits);
    }

    /** Waits until the server closes the stream and returns all its events. */
    public synchronized List<Event> awaitEnd(Duration limit) {
        long deadline = System.nanoTime() + limit.toNanos();
        while (!ended) {
            long left = deadline - System.nanoTime();
            if (left <= 0) {
                throw new AssertionError("The stream is open after " + limit.toSeconds() + " s. Events: " + events);
            }
            awaitChange(left);
        }
        failIfUndescribed();
        return List.copyOf(events);
    }

    /** The events that have arrived. */
    public synchronized List<Event> soFar() {
        failIfUndescribed();
        return List.copyOf(events);
    }

    @Override
    public void close() {
        try {
            stream.close();
        } catch (IOException gone) {
            // The stream is closed either way.
        }
        failIfUndescribed();
    }

    private synchronized void failIfUndescribed() {
        if (undescribed != null) {
            throw undescribed;
        }
    }

    @SuppressWarnings("WaitNotInLoop") // both callers loop
    private void awaitChange(long nanos) {
        try {
            wait(Math.max(1, nanos / 1_000_000));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while waiting for an event.", e);
        }
    }

    private void read() {
        var data = new StringBuilder();
        String type = "message";
        try (var lines = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.isEmpty()) {
                    add(type, data);
                    data.setLength(0);
                    type = "message";
                } else if (line.startsWith("event:")) {
                    type = line.substring("event:".length()).strip();
                } else if (line.startsWith("data:")) {
                    data.append(line.substring("data:".length()).strip());
                }
            }
        } catch (IOException e) {
            // The connection broke or this stream was closed; for the reader both are the end.
        } catch (AssertionError e) {
            synchronized (this) {
                undescribed = e;
            }
        } finally {
            end();
        }
    }

    private synchronized void add(String type, CharSequence data) {
        if (!data.isEmpty() || !type.equals("message")) {
            events.add(new Event(type, data.isEmpty() ? Json.of("") : Json.parse(data.toString())));
            notifyAll();
        }
    }

    private synchronized void end() {
        ended = true;
        notifyAll();
    }
}
