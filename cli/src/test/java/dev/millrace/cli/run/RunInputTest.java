package dev.millrace.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.client.Json;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunInputTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "name=Ada;{\"name\":\"Ada\"}",
                "n=3;{\"n\":3}",
                "price=1.50;{\"price\":1.50}",
                "ok=true;{\"ok\":true}",
                "list=[1,2];{\"list\":[1,2]}",
                "id=\"3\";{\"id\":\"3\"}",
                "zip=01234;{\"zip\":\"01234\"}",
                "empty=;{\"empty\":\"\"}",
                "query=a=b;{\"query\":\"a=b\"}",
                "text=3 apples;{\"text\":\"3 apples\"}",
            })
    void takesJsonAsJsonAndTheRestAsText(String field, String expected) {
        assertThat(Json.compact(RunInput.read(Optional.empty(), List.of(field), InputStream.nullInputStream())))
                .isEqualTo(expected);
    }

    @Test
    void addsFieldsToTheFile() {
        InputStream standardInput = new ByteArrayInputStream("{\"a\":1,\"b\":2}".getBytes(StandardCharsets.UTF_8));

        assertThat(Json.compact(RunInput.read(Optional.of("-"), List.of("b=3"), standardInput)))
                .isEqualTo("{\"a\":1,\"b\":3}");
    }

    @Test
    void saysWhereAnInputIsNoJson() {
        InputStream standardInput = new ByteArrayInputStream("{\"a\": 1,\n \"b\": }".getBytes(StandardCharsets.UTF_8));

        assertThatThrownBy(() -> RunInput.read(Optional.of("-"), List.of(), standardInput))
                .isInstanceOf(CommandFailure.class)
                .hasMessageContaining("Standard input is not valid JSON: unexpected character '}': expected a value"
                        + " (line 2, column 7). Correct it there");
    }

    @Test
    void refusesAnInputThatIsNoObject() {
        InputStream standardInput = new ByteArrayInputStream("[1]".getBytes(StandardCharsets.UTF_8));

        assertThatThrownBy(() -> RunInput.read(Optional.of("-"), List.of(), standardInput))
                .isInstanceOf(CommandFailure.class)
                .hasMessageContaining("Standard input does not hold a JSON object");
    }
}
