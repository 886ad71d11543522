package dev.millrace.scheduler.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.millrace.scheduler.queue.core.Json;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class JsonSchemasTest {
    private static final String PERSON = """
            {"type": "object", "required": ["name"], "properties": {"age": {"type": "integer", "minimum": 0},
             "tags": {"type": "array", "items": {"type": "string"}}}}
            """;

    @Test
    void saysWhatDoesNotFitAndWhere() {
        assertThat(check(PERSON, "{\"name\": \"Ann\", \"age\": 3}")).isEmpty();
        assertThat(check(PERSON, "{\"age\": -1, \"tags\": [\"a\", 2]}"))
                .extracting(SchemaProblem::path, SchemaProblem::pointer, SchemaProblem::message, SchemaProblem::rule)
                .containsExactlyInAnyOrder(
                        org.assertj.core.groups.Tuple.tuple("", "", "lacks \"name\"", "#/required"),
                        org.assertj.core.groups.Tuple.tuple(
                                "age", "/age", "must be at least 0", "#/properties/age/minimum"),
                        org.assertj.core.groups.Tuple.tuple(
                                "tags[1]",
                                "/tags/1",
                                "is a whole number (expected: a string)",
                                "#/properties/tags/items/type"));
    }

    @Test
    void calculatesWithNoNumberOfABillionDigits() {
        for (String number : List.of("1e999999999", "1e-999999999", "-1.5e2147483640", "1e1001")) {
            for (String word : List.of("multipleOf", "minimum", "exclusiveMaximum", "const")) {
                assertThat(refusal("{\"" + word + "\": " + number + "}")).contains("which cannot be calculated with");
            }
            assertThat(check("{\"multipleOf\": 3, \"minimum\": 0}", number)).hasSize(1);
            assertThat(check(PERSON, "{\"name\": \"Ann\", \"age\": " + number + "}"))
                    .hasSize(1);
        }
        assertThat(check("{\"multipleOf\": 1e-3}", "1e3")).isEmpty();
    }

    @Test
    void knowsTheWordsOfItsVersion() {
        String closed = "{\"allOf\": [{\"properties\": {\"a\": {}}}], \"unevaluatedProperties\": false}";
        String tuple = "{\"prefixItems\": [{\"type\": \"string\"}], \"items\": false}";
        String tree = """
                {"$ref": "#/$defs/node", "$defs": {"node": {"properties": {"next": {"$ref": "#/$defs/node"}},
                 "required": ["n"]}}}
                """;

        assertThat(check(closed, "{\"a\": 1}")).isEmpty();
        assertThat(check(closed, "{\"a\": 1, \"b\": 1}")).hasSize(1);
        assertThat(check(tuple, "[\"a\"]")).isEmpty();
        assertThat(check(tuple, "[\"a\", 1]")).hasSize(1);
        assertThat(check(tree, "{\"n\": 1, \"next\": {}}"))
                .extracting(SchemaProblem::path)
                .containsExactly("next");
    }

    @Test
    void tellsWhatIsNoSchemaAndWhere() {
        assertThat(refusal("[]")).isEqualTo(" A schema is an object, or true or false.");
        assertThat(refusal("{\"properties\": {\"a\": {\"type\": \"text\"}}}"))
                .startsWith("/properties/a/type It breaks the rules of JSON Schema 2020-12: ");
        assertThat(refusal("{\"properties\": {\"a\": {\"pattern\": \"(\"}}}"))
                .isEqualTo("/properties/a/pattern \"(\" is no regular expression: Unclosed group at character 2.");
        assertThat(refusal("{\"patternProperties\": {\"[\": {}}}"))
                .startsWith("/patternProperties \"[\" is no regular");
        assertThat(refusal("{\"$schema\": \"http://json-schema.org/draft-07/schema#\"}"))
                .startsWith("/$schema It is written for \"http://json-schema.org/draft-07/schema#\"");
        assertThat(refusal("{\"$ref\": \"#/$defs/none\"}")).startsWith(" It cannot be used: ");
        assertThat(refusal("{\"enum\": [\"" + "x".repeat(JsonSchemas.LENGTH_MAX) + "\"]}"))
                .contains("at most 262144");
    }

    @Test
    void loadsNothingFromElsewhere() {
        for (String word : List.of("$ref", "$dynamicRef")) {
            for (String place :
                    List.of("http://localhost:1/schema.json", "file:///etc/passwd", "classpath:x", "x.json")) {
                assertThat(refusal("{\"anyOf\": [{\"" + word + "\": \"" + place + "\"}]}"))
                        .startsWith(
                                "/anyOf/0/" + word + " It refers to \"" + place + "\", and a schema refers to nothing");
            }
        }
        assertThat(check("{\"const\": {\"$id\": \"http://localhost:1/\"}}", "1"))
                .hasSize(1);
    }

    @Test
    void givesUpWhereACheckTakesTooLong() {
        String backtracking = "{\"pattern\": \"^(a+a+)+(b)\\\\2$\"}";
        String doubling = IntStream.range(0, 40)
                .mapToObj(i -> "\"d%1$d\": {\"allOf\": [{\"$ref\": \"#/$defs/d%2$d\"}, {\"$ref\": \"#/$defs/d%2$d\"}]}"
                        .formatted(i, i + 1))
                .collect(Collectors.joining(",", "{\"$ref\": \"#/$defs/d0\", \"$defs\": {", ", \"d40\": true}}"));
        String endless = "{\"$ref\": \"#\"}";
        String deep = "{\"pattern\": \"^(a|b|c.)*$\"}";

        assertThat(check(backtracking, "\"" + "a".repeat(60) + "\""))
                .singleElement()
                .satisfies(problem -> assertThat(problem.message()).startsWith("takes too long"));
        assertThat(check(doubling, "1"))
                .singleElement()
                .satisfies(problem -> assertThat(problem.message()).startsWith("takes too long"));
        assertThat(check(endless, "1"))
                .singleElement()
                .satisfies(problem -> assertThat(problem.message()).startsWith("cannot be checked"));
        assertThat(check(deep, "\"" + "ab".repeat(100_000) + "!\"")).hasSize(1);
    }

    @Test
    void smallChecksWaitForNoCostlyOnes() throws SchemaInvalid {
        CompiledSchema schema = JsonSchemas.compile(new Json("{\"items\": {\"pattern\": \"^(a+a+)+b$\"}}"));
        Json small = new Json("[\"aab\", \"b\"]");
        Json costly = new Json("[\"" + "a".repeat(60) + "\", \"b\"]");
        for (int i = 0; i < CostlyTurns.TURNS; i++) {
            CostlyTurns.await();
        }
        try {
            assertThat(schema.check(small)).hasSize(1);
            assertThat(schema.checkRounded(small)).hasSize(1);
            assertThat(schema.checkRounded(costly))
                    .singleElement()
                    .satisfies(problem -> assertThat(problem.rule()).isEmpty());
            assertThat(check("{\"type\": \"string\"}", "1")).hasSize(1);
        } finally {
            for (int i = 0; i < CostlyTurns.TURNS; i++) {
                CostlyTurns.end();
            }
        }
    }

    private static List<SchemaProblem> check(String schema, String value) {
        try {
            return JsonSchemas.compile(new Json(schema)).check(new Json(value));
        } catch (SchemaInvalid unusable) {
            throw new AssertionError(unusable);
        }
    }

    private static String refusal(String schema) {
        SchemaInvalid invalid = catchThrowableOfType(SchemaInvalid.class, () -> JsonSchemas.compile(new Json(schema)));
        return invalid.pointer() + " " + invalid.problem();
    }
}
