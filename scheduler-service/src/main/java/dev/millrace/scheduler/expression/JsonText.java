package dev.millrace.scheduler.expression;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.util.JsonRecyclerPools;
import dev.millrace.text.JsonTrouble;
import java.io.IOException;
import java.io.UncheckedIOException;
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
        try (JsonParser parser = FACTORY.createParser(text)) {
            if (parser.nextToken() == null) {
                return Optional.of("it is empty");
            }
            parser.skipChildren();
            parser.finishToken();
            return parser.nextToken() == null ? Optional.empty() : Optional.of("it has text after its end");
        } catch (JsonProcessingException invalid) {
            return Optional.of(JsonTrouble.inWords(invalid));
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }
}
