package dev.millrace.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.retention.TableRetention;
import dev.millrace.scheduler.testing.TestDatabase;
import java.util.List;
import org.junit.jupiter.api.Test;

class RetentionRulesTest {
    @Test
    void nameEachTable() {
        assertThat(tables())
                .as("a feature declares each table, with a rule or with a reason why it does not grow")
                .containsExactlyInAnyOrderElementsOf(RetentionRules.TABLES.stream()
                        .map(TableRetention::table)
                        .toList());
    }

    private static List<String> tables() {
        try (TestDatabase testDatabase = TestDatabase.migrated();
                Database database = testDatabase.open()) {
            return database.run(dsl -> dsl.fetch("""
                            select relname from pg_class
                            where relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace
                              and relname <> 'flyway_schema_history'
                            """).getValues(0, String.class));
        }
    }
}
