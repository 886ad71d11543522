package dev.millrace.gateway.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.google.protobuf.UnsafeByteOperations;
import com.linecorp.armeria.common.HttpStatus;
import dev.millrace.gateway.problem.Problem;
import dev.millrace.gateway.problem.ProblemException;
import dev.millrace.text.JsonTrouble;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Parser of request bodies: one JSON object in UTF-8, read in one pass. */
public final class JsonBody {

    private static final JsonFactory FACTORY = new JsonFactory();

    private JsonBody() {}

    /** Reads the fields of the body into the target and returns it. */
    public static <T> T read(byte[] body, JsonFields<T> fields, T target) {
        var bytes = UnsafeByteOperations.unsafeWrap(body);
        // Jackson would guess other encodings and accept some broken sequences. Payloads are kept as bytes, so they
        // must be valid.
        if (!bytes.isValidUtf8() || startsWithZero(body)) {
            throw malformed("The body is not UTF-8.");
        }
        try (var parser = FACTORY.createParser(body)) {
            if (parser.nextToken() == null) {
                throw malformed("The body is empty (expected: a JSON object).");
            }
            new JsonReader(parser, bytes).object(fields, target);
            if (parser.nextToken() != null) {
                throw malformed("The body continues after the end of its JSON object"
                        + position(
                                parser.currentTokenLocation().getLineNr(),
                                parser.currentTokenLocation().getColumnNr()));
            }
            return target;
        } catch (JsonProcessingException e) {
            throw malformed("The body is not valid JSON: " + JsonTrouble.inWords(e)
                    + ". Correct it there; a missing comma, quote or bracket is the usual cause.");
        } catch (IOException e) {
            throw new UncheckedIOException("Reading from memory failed.", e);
        }
    }

    private static boolean startsWithZero(byte[] body) {
        return body.length > 1 && (body[0] == 0 || body[1] == 0);
    }

    private static String position(int line, int column) {
        return " (line " + line + ", column " + column + ").";
    }

    private static ProblemException malformed(String detail) {
        return new ProblemException(Problem.of(HttpStatus.BAD_REQUEST, "malformed_json", detail));
    }
}
