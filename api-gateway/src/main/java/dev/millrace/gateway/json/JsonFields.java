package dev.millrace.gateway.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.linecorp.armeria.common.HttpStatus;
import dev.millrace.gateway.problem.Problem;
import dev.millrace.gateway.problem.Problem.FieldError;
import dev.millrace.gateway.problem.ProblemException;
import java.io.IOException;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Fields that an object may have, each with its reader. Unknown fields and fields given twice are rejected by name;
 * {@code null} means absent.
 */
public final class JsonFields<T> {

    private final Map<String, FieldReader<T>> readers = new LinkedHashMap<>();
    private final Set<String> required = new LinkedHashSet<>();

    public JsonFields<T> field(String name, FieldReader<T> reader) {
        readers.put(name, reader);
        return this;
    }

    /** Adds a field without which the object is rejected. */
    public JsonFields<T> required(String name, FieldReader<T> reader) {
        required.add(name);
        return field(name, reader);
    }

    void read(JsonReader json, JsonParser parser, T target) throws IOException {
        var seen = new HashSet<String>();
        var missing = new LinkedHashSet<>(required);
        var place = JsonReader.path(parser.getParsingContext().getParent());
        for (var name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
            var reader = readers.get(name);
            if (reader == null) {
                throw unknown(JsonReader.path(parser.getParsingContext()));
            }
            if (!seen.add(name)) {
                throw json.wrong("is given twice.");
            }
            if (parser.nextToken() != JsonToken.VALUE_NULL) {
                missing.remove(name);
                reader.read(json, target);
            }
        }
        for (var name : missing) {
            throw new ProblemException(Problem.invalidField(
                    place.equals(JsonReader.BODY) ? name : place + "." + name, "is missing (expected: a value)"));
        }
    }

    private ProblemException unknown(String path) {
        var message = "is unknown (known here: " + String.join(", ", readers.keySet()) + ")";
        return new ProblemException(new Problem(
                HttpStatus.BAD_REQUEST,
                "unknown_field",
                "The request is invalid: " + path + " " + message,
                List.of(new FieldError(path, message)),
                null));
    }

    /** Reads the current value of the reader into the target. */
    @FunctionalInterface
    public interface FieldReader<T> {
        void read(JsonReader json, T target) throws IOException;
    }
}
