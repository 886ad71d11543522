package dev.millrace.client;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.NullNode;
import com.google.protobuf.ByteString;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Makes JSON of inputs, and values of outputs. Thread-safe. */
final class Json {
    private final ObjectMapper mapper;

    Json(ObjectMapper mapper) {
        this.mapper = requireNonNull(mapper, "mapper");
    }

    /**
     * The mapper of clients that bring none: dates are texts, as in scripts, and outputs may have fields that a type does
     * not know.
     */
    static ObjectMapper mapper() {
        return new ObjectMapper()
                .findAndRegisterModules()
                .disable(
                        SerializationFeature.WRITE_DATES_AS_TIMESTAMPS,
                        SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);
    }

    /** Writes a value; {@code what} names it in errors. */
    ByteString write(@Nullable Object value, String what) {
        try {
            return ByteString.copyFrom(mapper.writeValueAsBytes(value));
        } catch (JsonProcessingException unfit) {
            throw new ConversionException(
                    "The " + what + " cannot be written as JSON: " + unfit.getOriginalMessage()
                            + " Use records, collections and values that Jackson can write.",
                    unfit);
        }
    }

    /** Writes an object; nothing for null. */
    ByteString writeObject(@Nullable Object value, String what) {
        return value == null ? ByteString.EMPTY : write(value, what);
    }

    /** Reads a value; empty if there is none. */
    Optional<JsonNode> read(ByteString text) {
        if (text.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(mapper.readTree(text.newInput()));
        } catch (IOException invalid) {
            throw new ConversionException(
                    "The scheduler has sent a value that is no JSON: " + invalid.getMessage(), invalid);
        }
    }

    static JsonNode orNull(Optional<JsonNode> value) {
        return value.orElse(NullNode.getInstance());
    }

    /** Reads an output as a type; null for the JSON null. */
    <T> @Nullable T read(ByteString text, Class<T> type) {
        try {
            return text.isEmpty() ? null : mapper.readValue(text.newInput(), type);
        } catch (IOException unfit) {
            throw new ConversionException(
                    "The output does not fit " + type.getName() + ": " + unfit.getMessage()
                            + " Ask for another type, or for a JsonNode.",
                    unfit);
        }
    }
}
