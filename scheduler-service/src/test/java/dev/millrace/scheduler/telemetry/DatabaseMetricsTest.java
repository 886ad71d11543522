package dev.millrace.scheduler.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.metrics.Metrics;
import dev.millrace.scheduler.testing.MigratedDatabase;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class DatabaseMetricsTest {
    @RegisterExtension
    private final MigratedDatabase postgres = new MigratedDatabase();

    @Test
    void theFirstReadAfterAPauseShowsThePresentValues() {
        UUID trigger = new UUID(1, 1);
        postgres.database().run(dsl -> dsl.execute("""
                insert into trigger (id, workspace, kind, path, version, template, settings, description, actor)
                values (?, 'default', 'kafka', 'shop/orders', 1, '', '', '', 'ada')
                """, trigger));
        postgres.database().run(dsl -> dsl.execute("""
                insert into trigger_start (trigger_id, occurrence, workspace, id, state, occurred_at, claimed_until)
                select ?, n::text, 'default', gen_random_uuid(), 2, now(), now() from generate_series(1, 3) n
                """, trigger));
        Metrics metrics = new Metrics();
        try (DatabaseMetrics shown =
                DatabaseMetrics.start(metrics, postgres.database(), new TagLabel(), Duration.ofSeconds(30))) {
            assertThat(shown).isNotNull();
            assertThat(metrics.page("").text())
                    .contains(
                            "millrace_triggers{kind=\"kafka\",state=\"active\"} 1.0",
                            "millrace_trigger_starts_pending{kind=\"kafka\"} 3.0");
        }
    }
}
