package dev.millrace.bench.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Compares the workloads with the page that describes them. */
class WorkloadsTest {
    /** The name in the first column of a row. */
    private static final Pattern ROW =
            Pattern.compile("^\\| `([a-z0-9-]+)`( \\(not part of `all`\\))? \\|", Pattern.MULTILINE);

    @Test
    void theReadmeDescribesEachWorkload() throws IOException {
        String page = Files.readString(Path.of("README.md"));
        String table = page.substring(page.indexOf("| workload |"));
        List<MatchResult> rows =
                ROW.matcher(table.substring(0, table.indexOf("\n\n"))).results().toList();

        assertThat(rows).extracting(row -> row.group(1)).containsExactlyInAnyOrderElementsOf(Workloads.names());
        assertThat(rows)
                .filteredOn(row -> row.group(2) != null)
                .extracting(row -> row.group(1))
                .containsExactlyInAnyOrderElementsOf(
                        Workloads.LONG.stream().map(Workload::name).toList());
    }
}
