package dev.millrace.cli.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SseReaderTest {
    @Test
    void readsNameAndData() throws IOException {
        assertThat(events("event: step\ndata: {\"a\":1}\n\nevent: end\ndata:\n\n"))
                .containsExactly(new SseEvent("step", "{\"a\":1}"), new SseEvent("end", ""));
    }

    @Test
    void joinsLinesOfData() throws IOException {
        assertThat(events("data: one\ndata:two\ndata:  three\n\n"))
                .containsExactly(new SseEvent("message", "one\ntwo\n three"));
    }

    @Test
    void skipsCommentsUnknownFieldsAndEventsWithoutData() throws IOException {
        assertThat(events(": keep-alive\n\nid: 7\nretry: 10\nevent: nothing\n\ndata: x\n\n"))
                .containsExactly(new SseEvent("message", "x"));
    }

    @Test
    void understandsAllLineEnds() throws IOException {
        assertThat(events("event: a\r\ndata: 1\r\n\r\nevent: b\rdata: 2\r\r"))
                .containsExactly(new SseEvent("a", "1"), new SseEvent("b", "2"));
    }

    @Test
    void dropsAnEventThatTheEndCutsOff() throws IOException {
        assertThat(events("data: whole\n\ndata: cut off\n")).containsExactly(new SseEvent("message", "whole"));
    }

    @Test
    void readsUtf8() throws IOException {
        assertThat(events("data: Grüße, 世界\n\n")).containsExactly(new SseEvent("message", "Grüße, 世界"));
    }

    private static List<SseEvent> events(String stream) throws IOException {
        List<SseEvent> events = new ArrayList<>();
        try (SseReader reader = new SseReader(new ByteArrayInputStream(stream.getBytes(UTF_8)))) {
            for (Optional<SseEvent> event = reader.next(); event.isPresent(); event = reader.next()) {
                events.add(event.get());
            }
        }
        return events;
    }
}
