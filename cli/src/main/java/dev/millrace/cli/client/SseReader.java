package dev.millrace.cli.client;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Reads server-sent events from a response body, in the event stream format of the HTML standard. Millrace sends no
 * reconnection times, and what it sends carries its own numbers and positions, so times are ignored. Not
 * thread-safe.
 */
public final class SseReader implements Closeable {
    private static final String DEFAULT_NAME = "message";

    private final BufferedReader lines;

    public SseReader(InputStream body) {
        this.lines = new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8));
    }

    /**
     * Waits for the next event; empty at the end of the stream. An event that the end cuts off is dropped, as the
     * standard requires.
     */
    public Optional<SseEvent> next() throws IOException {
        String name = DEFAULT_NAME;
        String id = "";
        StringBuilder data = new StringBuilder();
        boolean hasData = false;
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.isEmpty()) {
                if (hasData) {
                    return Optional.of(new SseEvent(name, id, data.toString()));
                }
                name = DEFAULT_NAME;
                id = "";
                continue;
            }
            int colon = line.indexOf(':');
            String field = colon < 0 ? line : line.substring(0, colon);
            String value = colon < 0 ? "" : withoutLeadingSpace(line.substring(colon + 1));
            if (field.equals("event")) {
                name = value;
            } else if (field.equals("id")) {
                id = value;
            } else if (field.equals("data")) {
                if (hasData) {
                    data.append('\n');
                }
                data.append(value);
                hasData = true;
            }
        }
        return Optional.empty();
    }

    @Override
    public void close() throws IOException {
        lines.close();
    }

    private static String withoutLeadingSpace(String value) {
        return value.startsWith(" ") ? value.substring(1) : value;
    }
}
