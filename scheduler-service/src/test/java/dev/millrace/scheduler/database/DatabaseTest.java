package dev.millrace.scheduler.database;

import static dev.millrace.scheduler.database.tables.Tables.JOB_HISTORY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.param;
import static org.jooq.impl.DSL.select;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.zaxxer.hikari.pool.HikariPool;
import dev.millrace.scheduler.testing.MigratedDatabase;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.LoggerFactory;

class DatabaseTest {
    @RegisterExtension
    private final MigratedDatabase postgres = new MigratedDatabase();

    private final Database database = postgres.database();

    @Test
    void namesTheSettingsThatRiskWhatIsCommittedUnlessTheServerIsThrownAway() {
        postgres.execute(
                "do $$ begin execute format('alter database %I set synchronous_commit = off', current_database()); end $$");
        try (Database risky = postgres.open()) {
            assertThat(risky.riskySettings()).contains("synchronous_commit");
        }
        postgres.execute(
                "do $$ begin execute format('alter database %I set millrace.throw_away = on', current_database()); end $$");
        try (Database thrownAway = postgres.open()) {
            assertThat(thrownAway.riskySettings()).isEmpty();
        }
    }

    /** A pool that did not wait would leave the thread that opens connections behind, and warn. */
    @Test
    void waitsUntilNoThreadOpensConnectionsWhenItCloses() {
        Logger pools = (Logger) LoggerFactory.getLogger(HikariPool.class);
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        pools.addAppender(lines);
        try {
            postgres.open().close();
        } finally {
            pools.detachAppender(lines);
        }

        assertThat(lines.list).isEmpty();
    }

    @Test
    void plansALookUpOfTheHistoryOnce() {
        var query = new FixedQuery(select(JOB_HISTORY.NAME)
                .from(JOB_HISTORY)
                .where(JOB_HISTORY.BUCKET.eq(param("bucket", Short.class)))
                .and(JOB_HISTORY.ID.eq(param("id", UUID.class))));
        for (int i = 0; i < 10; i++) {
            assertThat(database.fetch(query, (short) 0, UUID.randomUUID())).isEmpty();
        }

        var plans = new FixedQuery(select(field("generic_plans", Long.class), field("custom_plans", Long.class))
                .from("pg_prepared_statements")
                .where("statement like 'select \"job_history\"%'"));

        var found = database.fetch(plans);

        assertThat(found).hasSize(1);
        assertThat(found.getFirst().get(0)).isEqualTo(10L);
        assertThat(found.getFirst().get(1)).isEqualTo(0L);
    }
}
