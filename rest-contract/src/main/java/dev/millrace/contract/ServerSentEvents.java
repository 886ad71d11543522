package dev.millrace.contract;

import java.util.function.BiConsumer;

/** Parser of a stream of server-sent events, line by line. Not thread-safe. */
final class ServerSentEvents {
    private final BiConsumer<String, String> event;
    private final StringBuilder data = new StringBuilder();
    private String name = "message";

    /** @param event receives the name and the data of each event */
    ServerSentEvents(BiConsumer<String, String> event) {
        this.event = event;
    }

    static void parse(String stream, BiConsumer<String, String> event) {
        var parser = new ServerSentEvents(event);
        stream.lines().forEach(parser::line);
    }

    void line(String line) {
        if (line.isEmpty()) {
            if (!data.isEmpty()) {
                event.accept(name, data.toString().strip());
            }
            data.setLength(0);
            name = "message";
        } else if (line.startsWith("event:")) {
            name = line.substring("event:".length()).strip();
        } else if (line.startsWith("data:")) {
            data.append(line, "data:".length(), line.length()).append('\n');
        }
    }
}
