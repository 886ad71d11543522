package dev.millrace.cli.client;

/** One server-sent event: its name, {@code message} if the server sent none, and its data. */
public record SseEvent(String name, String data) {}
