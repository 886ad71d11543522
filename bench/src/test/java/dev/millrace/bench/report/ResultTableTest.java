package dev.millrace.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.bench.measure.Figures;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ResultTableTest {
    private static final Environment ENVIRONMENT =
            new Environment("abc123", "18.6", "2026-01-01T00:00:00Z", 2, 1L << 34, "25");

    @Test
    void showsWhatWasMeasuredBesideItsTargets() {
        String table = ResultTable.of(
                ENVIRONMENT,
                List.of(new Figures("seq40")
                        .add("submit_to_result_median_ms", 45.5)
                        .add("pg_ratio", 0.25)));

        assertThat(table)
                .contains("commit `abc123`")
                .contains(
                        "| `seq40` | submit to result, median, just started | ≤ 60 ms | ≤ 30 ms | 45.5 ms | must | 0.25 |")
                .contains("| `steps` | steps, just started | ≥ 8,000/s | ≥ 14,000/s | not measured |  |  |");
    }

    @Test
    void saysWhereATargetIsMissedOrTheAimReached() {
        String table = ResultTable.of(
                ENVIRONMENT,
                List.of(
                        new Figures("steps").add("steps_per_second_median", 15_000.0),
                        new Figures("idle").add("percent_of_one_core", 7.0)));

        assertThat(table).contains("| 15,000/s | aim |").contains("| 7 % of a core | no |");
    }

    @Test
    void showsOtherSystemsWithWhatTheyKeep() {
        String table = ResultTable.of(
                ENVIRONMENT,
                List.of(new Figures("burn")
                        .add("jobs_per_second", 9_000.0)
                        .note("keeps", "history")
                        .add("jobrunr_jobs_per_second", 1_500.0)
                        .note("jobrunr_keeps", "its row")));

        assertThat(table)
                .contains("| `burn` | Millrace | see above | history |")
                .contains("| `burn` | jobrunr | jobs per second 1,500 | its row |");
    }
}
