package dev.millrace.gateway.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.ByteArrayBuilder;
import com.google.protobuf.ByteString;
import com.google.protobuf.Duration;
import com.google.protobuf.Timestamp;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** Writer of one JSON object, field by field, as UTF-8 bytes. Fields absent in the message are omitted. */
public final class JsonWriter {

    private static final JsonFactory FACTORY = new JsonFactory();

    private final JsonGenerator generator;

    private JsonWriter(JsonGenerator generator) {
        this.generator = generator;
    }

    /** Returns the bytes of an object with this content. */
    public static byte[] object(Consumer<JsonWriter> content) {
        try (var bytes = new ByteArrayBuilder();
                var generator = FACTORY.createGenerator(bytes)) {
            generator.writeStartObject();
            content.accept(new JsonWriter(generator));
            generator.writeEndObject();
            generator.flush();
            return bytes.toByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException("Writing to memory failed.", e);
        }
    }

    public void text(String name, String value) {
        write(() -> generator.writeStringField(name, value));
    }

    /** Writes a text unless it is empty. */
    public void optionalText(String name, String value) {
        if (!value.isEmpty()) {
            text(name, value);
        }
    }

    public void integer(String name, long value) {
        write(() -> generator.writeNumberField(name, value));
    }

    public void number(String name, double value) {
        write(() -> generator.writeNumberField(name, value));
    }

    public void flag(String name, boolean value) {
        write(() -> generator.writeBooleanField(name, value));
    }

    /** Writes JSON unchanged; empty bytes mean an absent value. */
    public void raw(String name, ByteString json) {
        if (json.isEmpty()) {
            return;
        }
        write(() -> {
            generator.writeFieldName(name);
            generator.writeRawValue(new RawJson(json));
        });
    }

    /** Writes a time in RFC 3339 with all its digits; the zero time means an absent value. */
    public void time(String name, Timestamp time) {
        if (!time.equals(Timestamp.getDefaultInstance())) {
            text(name, Times.rfc3339(time));
        }
    }

    /** Writes a duration in seconds, for example {@code "0.012s"}. */
    public void duration(String name, Duration duration) {
        text(name, Times.seconds(duration));
    }

    public void object(String name, Consumer<JsonWriter> content) {
        write(() -> {
            generator.writeObjectFieldStart(name);
            content.accept(this);
            generator.writeEndObject();
        });
    }

    /** Writes an array of objects. */
    public <T> void array(String name, List<T> items, BiConsumer<JsonWriter, T> item) {
        write(() -> {
            generator.writeArrayFieldStart(name);
            for (var value : items) {
                generator.writeStartObject();
                item.accept(this, value);
                generator.writeEndObject();
            }
            generator.writeEndArray();
        });
    }

    public void texts(String name, Iterable<String> values) {
        write(() -> {
            generator.writeArrayFieldStart(name);
            for (var value : values) {
                generator.writeString(value);
            }
            generator.writeEndArray();
        });
    }

    public void texts(String name, Map<String, String> values) {
        object(name, map -> values.forEach(map::text));
    }

    private static void write(Write write) {
        try {
            write.run();
        } catch (IOException e) {
            throw new UncheckedIOException("Writing to memory failed.", e);
        }
    }

    @FunctionalInterface
    private interface Write {
        void run() throws IOException;
    }
}
