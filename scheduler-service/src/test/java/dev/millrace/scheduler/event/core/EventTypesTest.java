package dev.millrace.scheduler.event.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests which types of events there are. */
class EventTypesTest {
    private static final Path REFERENCE = Path.of("../docs/reference/events.md");
    private static final Pattern ROW = Pattern.compile("^\\| (`[^|]*) \\|", Pattern.MULTILINE);
    private static final Pattern TYPE = Pattern.compile("`([a-z]+\\.[a-z]+)`");

    @ParameterizedTest
    @CsvSource({
        "run.failed, true",
        "run.*, true",
        "approval.*, true",
        "run.faild, false",
        "runs.*, false",
        "run*, false",
        "*, false",
        ".*, false",
        "run, false",
        "Run.failed, false",
        "'', false",
        "dev.millrace.run.failed, false"
    })
    void knowsTypes(String text, boolean isWanted) {
        assertThat(EventTypes.isWanted(text)).isEqualTo(isWanted);
    }

    @Test
    void saysWhatIsExpected() {
        assertThat(EventTypes.problem("worker.dead"))
                .isEqualTo("\"worker.dead\" is no type of event (expected: worker.connected, worker.left, worker.lost,"
                        + " worker.drained, worker.resumed, or worker.*)");
        assertThat(EventTypes.problem("dev.millrace.run.failed")).contains("run.failed", "approval, wait");
    }

    @Test
    void areThoseOfTheReference() throws IOException {
        assertThat(ROW.matcher(Files.readString(REFERENCE))
                        .results()
                        .map(row -> row.group(1))
                        .flatMap(cell -> TYPE.matcher(cell).results())
                        .map(found -> found.group(1)))
                .containsExactlyElementsOf(EventTypes.ALL);
    }
}
