package dev.millrace.cli.client;

/** One server-sent event: its name ({@code message} where it has none) and its data. */
public record SseEvent(String name, String data) {}
