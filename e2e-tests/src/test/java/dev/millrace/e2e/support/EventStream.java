package dev.millrace.e2e.support;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Server-sent events of one call, collected by a separate thread. Thread-safe. */
public final class EventStream implements AutoCloseable {
    /** One event. */
    public record Event(String type, JsonNode data) {}

    private final List<Event> events = new ArrayList<>();
    private final Stream<String> lines;
    private boolean ended;

    private EventStream(Stream<String> lines) {
        this.lines = lines;
        Thread.ofVirtual().name("events").start(this::read);
    }

    static EventStream open(HttpClient http, HttpRequest request) {
        try {
            HttpResponse<Stream<String>> response = http.send(request, BodyHandlers.ofLines());
            if (response.statusCode() != 200) {
                throw new AssertionError(request.uri() + " answered " + response.statusCode() + ": "
                        + response.body().toList());
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
        return List.copyOf(events);
    }

    @Override
    public void close() {
        lines.close();
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
        try {
            for (String line : (Iterable<String>) lines::iterator) {
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
        } catch (UncheckedIOException e) {
            // The connection broke or this stream was closed; for the reader both are the end.
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
