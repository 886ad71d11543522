package dev.millrace.scheduler.jobapi;

import com.google.protobuf.ByteString;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.error.Violations;
import dev.millrace.scheduler.expression.JsonText;
import dev.millrace.scheduler.expression.ReferencePath;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.rpc.RequestFields;
import java.util.Optional;

/** Validation of fields that calls of running jobs share. */
final class LeaseFields {
    private LeaseFields() {}

    /** The JSON in the field {@code value}, of at most so many bytes. */
    static Json value(ByteString bytes, int bytesMax) {
        Violations violations = new Violations();
        Optional<String> text = RequestFields.text("value", bytes, bytesMax, violations);
        text.flatMap(JsonText::problem).ifPresent(problem -> violations.add("value", "is not valid JSON: " + problem));
        violations.throwIfAny();
        return new Json(text.orElseThrow());
    }

    /** Fails unless the text is the path of a secret or resource. */
    static void requirePath(String path) {
        if (!ReferencePath.isValid(path)) {
            throw MillraceException.invalid("path", "\"" + path + "\" (expected: " + ReferencePath.EXPECTED + ")");
        }
    }
}
