package dev.millrace.gateway.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonStreamContext;
import com.fasterxml.jackson.core.JsonToken;
import com.google.protobuf.ByteString;
import com.google.protobuf.Duration;
import com.google.protobuf.Timestamp;
import dev.millrace.gateway.problem.Problem;
import dev.millrace.gateway.problem.ProblemException;
import dev.millrace.text.Durations;
import java.io.IOException;
import java.util.function.BiConsumer;

/**
 * Reads the parser's current value. A value of the wrong type ends the request with a problem that names its place in
 * the body, such as {@code items[3].retry.delay}.
 */
public final class JsonReader {

    /** Place of the whole body. */
    static final String BODY = "body";

    private final JsonParser parser;
    private final ByteString body;

    JsonReader(JsonParser parser, ByteString body) {
        this.parser = parser;
        this.body = body;
    }

    public String text() throws IOException {
        expect(JsonToken.VALUE_STRING, "a string");
        return parser.getText();
    }

    public int integer() throws IOException {
        expect(JsonToken.VALUE_NUMBER_INT, "an integer");
        var number = parser.getBigIntegerValue();
        if (number.bitLength() >= Integer.SIZE) {
            throw wrong("is " + number + " (expected: an integer of 32 bits)");
        }
        return number.intValueExact();
    }

    public long longInteger() throws IOException {
        expect(JsonToken.VALUE_NUMBER_INT, "an integer");
        var number = parser.getBigIntegerValue();
        if (number.bitLength() >= Long.SIZE) {
            throw wrong("is " + number + " (expected: an integer of 64 bits)");
        }
        return number.longValueExact();
    }

    public double number() throws IOException {
        if (!parser.currentToken().isNumeric()) {
            throw wrongType("a number");
        }
        return parser.getDoubleValue();
    }

    public boolean bool() throws IOException {
        if (!parser.currentToken().isBoolean()) {
            throw wrongType("true or false");
        }
        return parser.getBooleanValue();
    }

    public Duration duration() throws IOException {
        expect(JsonToken.VALUE_STRING, "a number and a unit in a string, such as \"30s\" or \"5m\"");
        var text = parser.getText();
        return Durations.parse(text)
                .map(Times::message)
                .orElseThrow(() -> wrong("is \"" + text + "\" (" + Times.DURATION_EXPECTED + ")"));
    }

    public Timestamp time() throws IOException {
        var text = text();
        return Times.parseTime(text)
                .map(Times::message)
                .orElseThrow(() -> wrong("is \"" + text + "\" (" + Times.TIME_EXPECTED + ")"));
    }

    /** Returns the bytes of an object exactly as in the body. */
    public ByteString rawObject() throws IOException {
        expect(JsonToken.START_OBJECT, "an object");
        int start = Math.toIntExact(parser.currentTokenLocation().getByteOffset());
        parser.skipChildren();
        int end = Math.toIntExact(parser.currentLocation().getByteOffset());
        return body.substring(start, end);
    }

    /** Returns the bytes of any value exactly as in the body. */
    public ByteString raw() throws IOException {
        int start = Math.toIntExact(parser.currentTokenLocation().getByteOffset());
        parser.skipChildren();
        parser.finishToken();
        int end = Math.toIntExact(parser.currentLocation().getByteOffset());
        return body.substring(start, end);
    }

    public <T> void object(JsonFields<T> fields, T target) throws IOException {
        expect(JsonToken.START_OBJECT, "an object");
        fields.read(this, parser, target);
    }

    public void items(Item item) throws IOException {
        expect(JsonToken.START_ARRAY, "an array");
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            item.read();
        }
    }

    /** Reads an object whose values are all texts. */
    public void texts(BiConsumer<String, String> entry) throws IOException {
        expect(JsonToken.START_OBJECT, "an object of strings");
        for (var name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
            parser.nextToken();
            entry.accept(name, text());
        }
    }

    /** Returns the exception that rejects the current value. */
    public ProblemException wrong(String message) {
        return new ProblemException(Problem.invalidField(path(parser.getParsingContext()), message));
    }

    private void expect(JsonToken expected, String inWords) {
        if (parser.currentToken() != expected) {
            throw wrongType(inWords);
        }
    }

    private ProblemException wrongType(String expected) {
        var found = switch (parser.currentToken()) {
            case START_OBJECT -> "an object";
            case START_ARRAY -> "an array";
            case VALUE_STRING -> "a string";
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> "a number";
            case VALUE_TRUE, VALUE_FALSE -> "a boolean";
            case VALUE_NULL -> "null";
            case FIELD_NAME, END_OBJECT, END_ARRAY, VALUE_EMBEDDED_OBJECT, NOT_AVAILABLE ->
                throw new IllegalStateException("The parser does not stand on a value.");
        };
        // At the start of an object or array, the parser's context is already inside it.
        var context = parser.currentToken().isStructStart()
                ? parser.getParsingContext().getParent()
                : parser.getParsingContext();
        return new ProblemException(
                Problem.invalidField(path(context), "is " + found + " (expected: " + expected + ")"));
    }

    /** The place of a value in the notation of field violations; the body itself is `body`. */
    static String path(JsonStreamContext context) {
        if (context.inRoot()) {
            return BODY;
        }
        var above = context.getParent().inRoot() ? "" : path(context.getParent());
        if (context.inArray()) {
            return above + "[" + context.getCurrentIndex() + "]";
        }
        return above.isEmpty() ? context.getCurrentName() : above + "." + context.getCurrentName();
    }

    /** Reads the current item of an array. */
    @FunctionalInterface
    public interface Item {
        void read() throws IOException;
    }
}
