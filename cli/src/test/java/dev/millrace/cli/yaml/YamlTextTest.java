package dev.millrace.cli.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.cli.client.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class YamlTextTest {
    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            value = {
                "3|3",
                "1.50|1.50",
                "true|true",
                "~|null",
                "|null",
                "no|\"no\"",
                "007|\"007\"",
                "2026-01-01|\"2026-01-01\"",
                "'3'|\"3\"",
                "\"a\\nb\"|\"a\\nb\""
            },
            delimiter = '|')
    void readsScalarsAsJsonDoes(String yaml, String json) throws InvalidYaml {
        assertThat(Json.compact(
                        YamlText.parse("v: " + (yaml == null ? "" : yaml)).path("v")))
                .isEqualTo(json);
    }

    @Test
    void readsMappingsSequencesAndAliases() throws InvalidYaml {
        assertThat(Json.compact(YamlText.parse("""
                # a comment
                base: &base {host: db, port: 5432}
                all: [*base, x]
                """)))
                .isEqualTo(
                        "{\"base\":{\"host\":\"db\",\"port\":5432},\"all\":[{\"host\":\"db\",\"port\":5432},\"x\"]}");
    }

    @Test
    void saysWhereYamlIsInvalid() {
        assertThatThrownBy(() -> YamlText.parse("a: 1\nb: [1\n")).hasMessageContaining("line 3");
        assertThatThrownBy(() -> YamlText.parse("a: 1\na: 2\n")).hasMessage("line 2: the key a is there twice");
    }

    @Test
    void refusesAliasesThatMultiply() {
        StringBuilder bomb = new StringBuilder("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
        for (int i = 1; i < 10; i++) {
            bomb.append("a%d: &a%d [%s]\n".formatted(i, i, ("*a" + (i - 1) + ", ").repeat(9) + "*a" + (i - 1)));
        }

        assertThatThrownBy(() -> YamlText.parse(bomb.toString())).isInstanceOf(InvalidYaml.class);
        assertThatThrownBy(() -> YamlText.parse("a: &a [*a]")).isInstanceOf(InvalidYaml.class);
    }
}
