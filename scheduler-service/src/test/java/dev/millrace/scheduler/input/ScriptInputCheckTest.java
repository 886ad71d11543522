package dev.millrace.scheduler.input;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.schema.SchemaInvalid;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What does not fit in the input of a script is said in the words of its author. */
class ScriptInputCheckTest {
    private static final String SCHEMA = """
            {"type": "object", "required": ["items"], "additionalProperties": false,
             "properties": {
               "items": {"type": "array", "items": {"$ref": "#/$defs/Item"}},
               "due": {"type": ["string", "null"], "format": "date", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"},
               "speed": {"enum": ["normal", "fast"]},
               "count": {"type": "integer"},
               "ratio": {"type": "number", "exclusiveMinimum": 0.1},
               "either": {"anyOf": [{"type": "integer"}, {"$ref": "#/$defs/Item"}]},
               "key": {"type": "string", "contentEncoding": "base64"}},
             "$defs": {"Item": {"type": "object", "title": "Item", "required": ["name"], "additionalProperties": false,
               "properties": {"name": {"type": "string"}, "next": {"anyOf": [{"$ref": "#/$defs/Item"}, {"type": "null"}]}}}}}
            """;

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            {} | items | The input lacks the key "items": main takes items, due, speed, count, ratio, either, key. Add it.
            {"items": [], "dew": 1} | dew | The input has the key "dew", which main does not take: main takes items, due, speed, count, ratio, either, key. Remove it, or correct its name.
            {"items": {}} | items | The parameter "items" is {} (expected: an array). Change it.
            {"items": [{"name": 3}]} | items[0].name | The parameter "items[0].name" is 3 (expected: a string). Change it.
            {"items": [{}]} | items[0].name | The parameter "items[0]" lacks the key "name": it takes name, next. Add it.
            {"items": [], "due": "soon"} | due | The parameter "due" is "soon" (expected: a date such as 2026-01-31 or null). Change it.
            {"items": [], "speed": 3} | speed | The parameter "speed" is 3 (expected: one of "normal", "fast"). Change it.
            {"items": [], "count": 3.5} | count | The parameter "count" is 3.5 (expected: a whole number). Change it.
            {"items": [], "ratio": 0} | ratio | The parameter "ratio" must be greater than 0.1. Change it.
            {"items": [], "either": "x"} | either | The parameter "either" is "x" (expected: a whole number or an object with the fields of Item). Change it.
            """)
    void aProblemNamesTheParameterAndWhatWasExpected(String input, String path, String message) throws SchemaInvalid {
        assertThat(check(SCHEMA, input)).singleElement().isEqualTo(new InputProblem(path, message));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            {"items": [{"name": "a", "next": {"name": "b", "next": null}}]}
            {"items": [], "count": 3.0}
            {"items": [], "count": 1e22}
            {"items": [], "count": 2.0000000000000000000001}
            {"items": [], "count": 123456789012345678901234567890}
            {"items": [], "ratio": 1e999}
            {"items": [], "key": "no base64"}
            {"items": [], "due": null, "speed": "fast", "either": {"name": ""}}
            """)
    void whatARuntimeTakesIsNoProblem(String input) throws SchemaInvalid {
        assertThat(check(SCHEMA, input)).isEmpty();
    }

    @Test
    void whatCannotBeCheckedIsLeftToTheJob() throws SchemaInvalid {
        String doubling = IntStream.range(0, 40)
                .mapToObj(level -> "\"d" + level + "\": {\"allOf\": [{\"$ref\": \"#/$defs/d" + (level + 1)
                        + "\"}, {\"$ref\": \"#/$defs/d" + (level + 1) + "\"}]}")
                .collect(Collectors.joining(", "));
        String schema = "{\"$ref\": \"#/$defs/d0\", \"$defs\": {" + doubling + ", \"d40\": {\"type\": \"array\"}}}";

        assertThat(check(schema, "{}")).isEmpty();
        String digits = "9".repeat(5_000);
        assertThat(check(SCHEMA, "{\"items\": [], \"count\": " + digits + "}")).isEmpty();
    }

    private static List<InputProblem> check(String schema, String input) throws SchemaInvalid {
        return ScriptInputCheck.of(new InputSchema(new Json(schema), InputSchema.Origin.SIGNATURE))
                .check(new Json(input));
    }
}
