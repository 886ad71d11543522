package dev.millrace.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.client.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Options become parameters by their types, and what is no option or no value is said. */
class ParameterFlagsTest {
    private static final String SCHEMA = """
            {"required": ["name"], "additionalProperties": false, "properties": {
              "name": {"type": "string"}, "count": {"type": ["integer", "null"], "default": 3}, "loud": {"type": "boolean"},
              "to": {"type": "array", "items": {"type": "string"}}, "pairs": {"type": "object"},
              "speed": {"enum": ["fast", 2, null], "description": "How  fast."}, "any": {}, "due_date": {"type": "string", "format": "date"},
              "time": {"type": ["string", "number"], "format": "duration"},
              "price": {"type": ["string", "number"], "format": "decimal"}, "item": {"$ref": "#/$defs/Item"},
              "data": {"type": "string", "contentEncoding": "base64"}},
             "$defs": {"Item": {"type": "object", "title": "Item", "properties": {"next": {"$ref": "#/$defs/Item"}}}}}
            """;

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            --name 3                    | {"name":"3"}
            --name=a=b                  | {"name":"a=b"}
            --count -5                  | {"count":-5}
            --count null                | {"count":null}
            --loud --name x             | {"loud":true,"name":"x"}
            --loud false                | {"loud":false}
            --no-loud                   | {"loud":false}
            --to a --to b               | {"to":["a","b"]}
            --to ["a","b"]              | {"to":["a","b"]}
            --pairs {"a":1}             | {"pairs":{"a":1}}
            --speed fast                | {"speed":"fast"}
            --speed 2                   | {"speed":2}
            --any [1]                   | {"any":[1]}
            --any text                  | {"any":"text"}
            --due-date 2026-01-31       | {"due_date":"2026-01-31"}
            --price 12.50               | {"price":"12.50"}
            --time PT5M                 | {"time":"PT5M"}
            --time 90                   | {"time":90}
            --item {"next":{}}          | {"item":{"next":{}}}
            --name @@x                  | {"name":"@x"}
            """)
    void flagsBecomeValuesOfTheirTypes(String flags, String input) {
        assertThat(Json.compact(read(flags.split(" ")))).isEqualTo(input);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            Ada              | 'Ada' belongs to no parameter. Write parameters like: --name Ada
            --nam Ada        | The script s.py has no parameter --nam. It takes --name, --count,
            --count many     | The parameter --count is 'many' (expected: integer | null). Correct it.
            --speed slow     | The parameter --speed is 'slow' (expected: fast | 2 | null). Correct it.
            --pairs []       | The parameter --pairs is '[]' (expected: object). Correct it.
            --name           | The parameter --name has no value. Write it like: --name VALUE
            --name a --name b | The parameter --name is given twice and takes one value. Give it once.
            --name @missing  | The file missing for the parameter --name cannot be read.
            """)
    void whatCannotBeReadIsSaid(String flags, String message) {
        assertThatThrownBy(() -> read(flags.split(" ")))
                .isInstanceOf(CommandFailure.class)
                .extracting(failure -> ((CommandFailure) failure).text())
                .asString()
                .contains(message);
    }

    @Test
    void filesGiveTextJsonAndBytes(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "{\"a\":1}");

        assertThat(Json.compact(read("--name", "@" + file, "--pairs", "@" + file, "--data", "@" + file)))
                .isEqualTo("{\"name\":\"{\\\"a\\\":1}\",\"pairs\":{\"a\":1},\"data\":\"eyJhIjoxfQ==\"}");
    }

    @Test
    void withoutASchemaAllNamesArePassedOn() {
        ObjectNode input = Json.object();
        new ParameterFlags("s.py", ScriptParameters.of(Json.object())).addTo(input, List.of("--a", "3", "--b=x"));

        assertThat(Json.compact(input)).isEqualTo("{\"a\":3,\"b\":\"x\"}");
    }

    private static ObjectNode read(String... flags) {
        ObjectNode input = Json.object();
        new ParameterFlags("s.py", ScriptParameters.of(Json.parse(SCHEMA).orElseThrow())).addTo(input, List.of(flags));
        return input;
    }
}
