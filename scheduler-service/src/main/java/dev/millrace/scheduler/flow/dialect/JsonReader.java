package dev.millrace.scheduler.flow.dialect;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.text.JsonTrouble;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/** Parser of JSON definitions into nodes with positions. */
final class JsonReader {
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(2 * SourceLimits.DEPTH_MAX)
                    .build())
            .build();

    private final JsonParser parser;
    private int nodes;

    private JsonReader(JsonParser parser) {
        this.parser = parser;
    }

    static SourceNode read(String text) {
        try (JsonParser parser = FACTORY.createParser(text)) {
            if (parser.nextToken() == null) {
                throw new SourceInvalid(
                        new SourceNode.Mark(1, 1),
                        "The definition is empty.",
                        "Give it the member \"millrace\": \"v1\".");
            }
            SourceNode document = new JsonReader(parser).node(1);
            if (parser.nextToken() != null) {
                throw new SourceInvalid(
                        mark(parser.currentTokenLocation()),
                        "The JSON has text after its end.",
                        "Remove what follows the closing brace.");
            }
            return document;
        } catch (JsonProcessingException invalid) {
            throw new SourceInvalid(
                    mark(invalid.getLocation()),
                    "The JSON is not valid: " + JsonTrouble.clause(invalid) + ".",
                    "Correct it there; a missing comma or quote is the usual cause.");
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    private static SourceNode.Mark mark(JsonLocation location) {
        return location == null
                ? new SourceNode.Mark(0, 0)
                : new SourceNode.Mark(location.getLineNr(), location.getColumnNr());
    }

    private SourceNode node(int depth) throws IOException {
        SourceNode.Mark mark = mark(parser.currentTokenLocation());
        if (depth > SourceLimits.DEPTH_MAX) {
            throw new SourceInvalid(mark, SourceLimits.TOO_DEEP, SourceLimits.TOO_DEEP_REMEDY);
        }
        if (++nodes > SourceLimits.NODES_MAX) {
            throw new SourceInvalid(mark, SourceLimits.TOO_MANY, SourceLimits.TOO_MANY_REMEDY);
        }
        return switch (parser.currentToken()) {
            case START_OBJECT -> mapping(mark, depth);
            case START_ARRAY -> sequence(mark, depth);
            case VALUE_STRING -> new SourceNode.Text(mark, parser.getText());
            default -> new SourceNode.Literal(mark, JsonValue.of(parser.getText()));
        };
    }

    private SourceNode mapping(SourceNode.Mark mark, int depth) throws IOException {
        List<SourceNode.Entry> entries = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String key = parser.currentName();
            SourceNode.Mark keyMark = mark(parser.currentTokenLocation());
            parser.nextToken();
            entries.add(new SourceNode.Entry(key, keyMark, node(depth + 1)));
        }
        return new SourceNode.Mapping(mark, entries);
    }

    private SourceNode sequence(SourceNode.Mark mark, int depth) throws IOException {
        List<SourceNode> items = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            items.add(node(depth + 1));
        }
        return new SourceNode.Sequence(mark, items);
    }
}
