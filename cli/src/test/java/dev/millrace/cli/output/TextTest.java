package dev.millrace.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cli.client.LogChunk;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TextTest {
    @ParameterizedTest
    @CsvSource({
        "PT0S,0.0 ms",
        "PT0.0004S,0.4 ms",
        "PT0.012S,12 ms",
        "PT0.9999S,1.00 s",
        "PT1.239S,1.24 s",
        "PT185S,3 min 5 s",
        "PT185.6S,3 min 6 s",
        "PT2H5M,2 h 5 min"
    })
    void writesDurationsForPeople(Duration duration, String text) {
        assertThat(Durations.text(duration)).isEqualTo(text);
    }

    @Test
    void writesTheTimesInASentenceAsTablesDo() {
        String time = Times.text("2026-11-30T12:41:27.658316Z");

        assertThat(time).doesNotContain("T", "Z");
        assertThat(Times.inText("Its timeout ends at 2026-11-30T12:41:27.658316Z."))
                .isEqualTo("Its timeout ends at " + time + ".");
    }

    @Test
    void alignsColumns() {
        Table table = new Table("NAME", "COUNT>").row("a", "10").row("longer", "7");

        assertThat(table.lines(Paint.NONE)).containsExactly("NAME    COUNT", "a          10", "longer      7");
    }

    @Test
    void fitsATableIntoANarrowTerminal() {
        Table table = new Table("ID<", "NAME", "STATE", "CREATED?", "TOOK>?")
                .row(
                        "01a208ff-eed6-7000-bdf6-007263ad457d",
                        "text/word-count",
                        "succeeded",
                        "2026-01-01 10:00:00",
                        "91 ms");

        assertThat(table.lines(Paint.NONE, 200)).isEqualTo(table.lines(Paint.NONE));
        assertThat(table.lines(Paint.NONE, 80))
                .containsExactly(
                        "ID             NAME             STATE      CREATED               TOOK",
                        "…007263ad457d  text/word-count  succeeded  2026-01-01 10:00:00  91 ms");
        assertThat(table.lines(Paint.NONE, 40))
                .containsExactly("ID             NAME          STATE", "…007263ad457d  text/word-c…  succeeded");
        assertThat(table.lines(Paint.NONE, 30)).allMatch(line -> line.length() <= 30);
    }

    @Test
    void keepsWholeInANarrowTerminalWhatIsOfNoUseInPart() {
        Table links = new Table("FOR", "LINK!").row("ada.lovelace@example.org", "http://localhost/wait-links/abcdef");

        assertThat(links.lines(Paint.NONE, 40).getLast()).endsWith("  http://localhost/wait-links/abcdef");
    }

    @Test
    void splitsKeysIntoPlaces() {
        assertThat(StepKey.places("count[3].tokenize")).containsExactly("count", "[3]", "tokenize");
        assertThat(StepKey.places("a[0][12]")).containsExactly("a", "[0]", "[12]");
        assertThat(StepKey.places("")).isEmpty();
    }

    @Test
    void endsTheLastLineOfAnAttemptWhereTheNextOneBegins() {
        LogLines lines = new LogLines();

        assertThat(lines.add(chunk("a", 1, "first"))).isEmpty();
        assertThat(lines.add(chunk("a", 2, "second")))
                .extracting(LogLines.Line::text)
                .containsExactly("first");
        assertThat(lines.rest()).extracting(LogLines.Line::text).containsExactly("second");
    }

    @Test
    void putsLogLinesTogetherPerStep() {
        LogLines lines = new LogLines();

        assertThat(lines.add(chunk("a", "one\ntw")))
                .extracting(LogLines.Line::text)
                .containsExactly("one");
        assertThat(lines.add(chunk("b", "other\n")))
                .extracting(LogLines.Line::text)
                .containsExactly("other");
        assertThat(lines.add(chunk("a", "o\n"))).extracting(LogLines.Line::text).containsExactly("two");
        assertThat(lines.add(chunk("a", "end"))).isEmpty();
        assertThat(lines.rest()).extracting(LogLines.Line::text).containsExactly("end");
    }

    private static LogChunk chunk(String step, String text) {
        return chunk(step, 1, text);
    }

    private static LogChunk chunk(String step, int attempt, String text) {
        return new LogChunk("job-" + step, attempt, step, "stdout", text, Optional.empty());
    }
}
