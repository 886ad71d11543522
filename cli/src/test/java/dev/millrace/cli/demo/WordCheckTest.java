package dev.millrace.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class WordCheckTest {
    @Test
    void countsWordsAndRanksThemByCountThenAlphabet() {
        DemoTexts texts = new DemoTexts(List.of(
                new DemoTexts.Text("a", "The wheel; the STONE.\nthe corn"), new DemoTexts.Text("b", "wheel stone 42")));

        assertThat(WordCheck.expected(texts, 3))
                .hasToString(
                        "{\"words\":8,\"different\":4,\"top\":[{\"word\":\"the\",\"count\":3},{\"word\":\"stone\",\"count\":2},{\"word\":\"wheel\",\"count\":2}]}");
    }
}
