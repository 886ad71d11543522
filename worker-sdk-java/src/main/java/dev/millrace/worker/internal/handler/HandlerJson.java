package dev.millrace.worker.internal.handler;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.core.util.ByteArrayBuilder;
import com.fasterxml.jackson.core.util.JsonGeneratorDelegate;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.exc.InvalidDefinitionException;
import com.fasterxml.jackson.databind.module.SimpleModule;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.util.List;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.stream.BaseStream;
import org.jspecify.annotations.Nullable;

/**
 * Writes values of handlers as JSON, and refuses what JSON cannot hold: NaN and infinity, which Jackson writes as texts, two
 * keys with the same text, and objects whose properties are not their content.
 */
final class HandlerJson {
    /** Jackson would write their state, such as {@code {"done":false}}, in place of what they deliver. */
    private static final List<Class<?>> WITHOUT_CONTENT =
            List.of(BaseStream.class, Future.class, Flow.Publisher.class, InputStream.class, Reader.class);

    private HandlerJson() {}

    /** Refuses values whose properties are not their content. */
    static SimpleModule refusals() {
        SimpleModule module = new SimpleModule("millrace-refusals");
        WITHOUT_CONTENT.forEach(type -> module.addSerializer(new Refusing<>(type)));
        return module;
    }

    static byte[] write(ObjectMapper json, @Nullable Object value) throws IOException {
        try (ByteArrayBuilder bytes = new ByteArrayBuilder();
                JsonGenerator generator = new FiniteNumbers(json.createGenerator(bytes))) {
            generator.enable(JsonGenerator.Feature.STRICT_DUPLICATE_DETECTION);
            json.writeValue(generator, value);
            generator.flush();
            return bytes.toByteArray();
        }
    }

    private static final class Refusing<T> extends JsonSerializer<T> {
        private final Class<T> type;

        Refusing(Class<T> type) {
            this.type = type;
        }

        @Override
        public Class<T> handledType() {
            return type;
        }

        @Override
        public void serialize(T value, JsonGenerator generator, SerializerProvider provider) throws IOException {
            throw InvalidDefinitionException.from(
                    generator,
                    place(generator) + " is a " + value.getClass().getName()
                            + ", whose content JSON cannot hold: return" + " what it delivers, such as a list");
        }
    }

    private static final class FiniteNumbers extends JsonGeneratorDelegate {
        FiniteNumbers(JsonGenerator generator) {
            super(generator, false);
        }

        @Override
        public void writeNumber(double number) throws IOException {
            requireFinite(Double.isFinite(number), number);
            super.writeNumber(number);
        }

        @Override
        public void writeNumber(float number) throws IOException {
            requireFinite(Float.isFinite(number), number);
            super.writeNumber(number);
        }

        @Override
        public void writeArray(double[] array, int offset, int length) throws IOException {
            writeStartArray(array, length);
            for (int i = offset; i < offset + length; i++) {
                writeNumber(array[i]);
            }
            writeEndArray();
        }

        private void requireFinite(boolean isFinite, double number) throws IOException {
            if (!isFinite) {
                _reportError(place(this) + " is " + number + ", which JSON has no number for");
            }
        }
    }

    /** Where the generator is in the value, such as {@code /items/3}. */
    private static String place(JsonGenerator generator) {
        JsonPointer at = generator.getOutputContext().pathAsPointer();
        return at.matches() ? "the value itself" : at.toString();
    }
}
