package dev.millrace.scheduler.expression;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.util.JsonRecyclerPools;
import dev.millrace.text.JsonTrouble;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/** Check that a text from outside is exactly one strict JSON document. */
public final class JsonText {
    /** Maximum nesting depth of a document. */
    public static final int DEPTH_MAX = 1_000;

    /** Maximum number of idle parser buffers. They have up to 64 Ki characters each. */
    private static final int IDLE_BUFFERS_MAX = 16;

    /** Shares buffers between threads, because each request has a virtual thread, which would make its own. */
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .recyclerPool(JsonRecyclerPools.newBoundedPool(IDLE_BUFFERS_MAX))
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(DEPTH_MAX)
                    .maxStringLength(Integer.MAX_VALUE)
                    .maxNumberLength(10_000)
                    .build())
            .build();

    private JsonText() {}

    /** Explains why a text is not JSON, with line and column; empty if it is. */
    public static Optional<String> problem(String text) {
        return problem(text, JsonText::skip);
    }

    /**
     * Does the same for a text that somebody is about to split, and whose members would take many times its room.
     *
     * @param membersMax maximum number of members of an object and of those around it together
     */
    public static Optional<String> problem(String text, int membersMax) {
        return problem(text, parser -> count(parser, membersMax));
    }

    /** Reads a document whose first token is the current one. */
    @FunctionalInterface
    private interface Reading {
        /** Returns what is wrong apart from the syntax; empty if nothing is. */
        Optional<String> to(JsonParser parser) throws IOException;
    }

    private static Optional<String> problem(String text, Reading reading) {
        try (JsonParser parser = FACTORY.createParser(text)) {
            if (parser.nextToken() == null) {
                return Optional.of("it is empty");
            }
            Optional<String> problem = reading.to(parser);
            if (problem.isPresent()) {
                return problem;
            }
            parser.finishToken();
            return parser.nextToken() == null ? Optional.empty() : Optional.of("it has text after its end");
        } catch (JsonProcessingException invalid) {
            return Optional.of(JsonTrouble.inWords(invalid));
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    private static Optional<String> skip(JsonParser parser) throws IOException {
        parser.skipChildren();
        return Optional.empty();
    }

    private static Optional<String> count(JsonParser parser, int membersMax) throws IOException {
        Deque<Integer> around = new ArrayDeque<>();
        int members = 0;
        for (JsonToken token = parser.currentToken(); ; token = parser.nextToken()) {
            if (token.isStructStart()) {
                around.push(members);
            } else if (token.isStructEnd()) {
                members = around.pop();
            } else if (token == JsonToken.FIELD_NAME && ++members > membersMax) {
                return Optional.of("it has more than " + membersMax + " members in an object and those around it");
            }
            if (around.isEmpty()) {
                return Optional.empty();
            }
        }
    }
}
