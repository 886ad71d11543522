package dev.millrace.cli.client;

/**
 * One server-sent event.
 *
 * @param name {@code message} if the server sent none
 * @param id empty if the event has none
 */
public record SseEvent(String name, String id, String data) {
    public SseEvent(String name, String data) {
        this(name, "", data);
    }
}
