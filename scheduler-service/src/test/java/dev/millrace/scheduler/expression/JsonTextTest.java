package dev.millrace.scheduler.expression;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonTextTest {
    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '|',
            delimiter = '~',
            value = {
                "{`a`: } ~ unexpected character '}': expected a value (line 1, column 7)",
                "{`a` 1} ~ unexpected character '1': expected a colon to separate field name and value (line 1, column 6)",
                "{`a`: [1, 2} ~ unexpected close marker '}': expected ']' for what opens at line 1, column 7 (line 1, column 12)",
                "{`a`: tru} ~ unrecognized token 'tru': expected a JSON value (line 1, column 7)",
                "{`a`: `b ~ it ends before it is complete (line 1, column 9)",
                "{`a`: [1 ~ it ends before it is complete (line 1, column 9)",
                "{`a`: 1, `a`: 2} ~ it has the key 'a' twice in one object (line 1, column 13)",
                "{`a`: 1,} ~ unexpected character '}': expected double-quote to start field name (line 1, column 9)",
                "01 ~ invalid numeric value: Leading zeroes not allowed (line 1, column 2)",
            })
    void saysWhatIsWrongAndWhere(String text, String problem) {
        assertThat(JsonText.problem(text.replace('`', '"'))).contains(problem);
    }

    @Test
    void saysThatAControlCharacterNeedsAnEscape() {
        assertThat(JsonText.problem("[\"a\nb\"]").orElseThrow())
                .startsWith("a string holds a line end, a tab or another control character");
        assertThat(JsonText.problem("\u0001").orElseThrow()).doesNotContain("CTRL-CHAR");
    }

    @Test
    void takesWhatIsJson() {
        assertThat(JsonText.problem("{\"a\": [1, 2.5e3, null]}")).isEmpty();
    }
}
