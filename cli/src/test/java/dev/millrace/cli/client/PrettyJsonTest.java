package dev.millrace.cli.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cli.output.Paint;
import org.junit.jupiter.api.Test;

class PrettyJsonTest {
    @Test
    void writesAnEntryALine() {
        assertThat(pretty("{\"words\":27,\"empty\":[],\"none\":{},\"text\":\"a \\\"b\\\" \\u001b\"}"))
                .isEqualTo("""
                {
                  "words": 27,
                  "empty": [],
                  "none": {},
                  "text": "a \\"b\\" \\u001B"
                }""");
        assertThat(pretty("3")).isEqualTo("3");
        assertThat(pretty("1.50")).isEqualTo("1.50");
        assertThat(pretty("[]")).isEqualTo("[]");
    }

    @Test
    void writesShortListsAndInnerObjectsInALine() {
        assertThat(pretty("[1,2,3]")).isEqualTo("[1, 2, 3]");
        assertThat(pretty("{\"a\":[[1,2],[3]],\"top\":[{\"word\":\"the\",\"count\":3},{\"word\":\"a\",\"count\":2}]}"))
                .isEqualTo("""
                        {
                          "a": [
                            [1, 2],
                            [3]
                          ],
                          "top": [
                            {"word": "the", "count": 3},
                            {"word": "a", "count": 2}
                          ]
                        }""");
    }

    @Test
    void breaksLongLists() {
        String word = "x".repeat(30);

        assertThat(pretty("[\"" + word + "\",\"" + word + "\",\"" + word + "\"]")
                        .lines())
                .hasSize(5);
    }

    @Test
    void colorsKeysAndTexts() {
        assertThat(Json.pretty(Json.parse("{\"a\":\"b\"}").orElseThrow(), new Paint(true)))
                .isEqualTo("{\n  \u001b[36m\"a\"\u001b[0m: \u001b[32m\"b\"\u001b[0m\n}");
    }

    private static String pretty(String json) {
        return Json.pretty(Json.parse(json).orElseThrow());
    }
}
