package dev.millrace.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.retention.RetentionRule;
import dev.millrace.scheduler.testing.TestDatabase;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class RetentionRulesTest {
    /** Tables that need no rule, each with the reason. */
    private static final Map<String, String> WITHOUT = Map.ofEntries(
            Map.entry("job_queue", "holds what has not ended"),
            Map.entry(
                    "worker_session",
                    "a session that has ended goes once its jobs are given back: SessionStore.deleteIfEmpty"),
            Map.entry(
                    "worker_group",
                    "goes with the container of the group, in the flush that ends it: EndGroupsStatement"),
            Map.entry("child_note", "goes when it is settled: SettleChildNotesStatement"),
            Map.entry("bulk_item", "goes with its bulk_operation, by a foreign key"),
            Map.entry("pinned_run", "what people ask to keep"),
            Map.entry("session_watch", "one row"),
            Map.entry("server_secret", "a row for each kind of secret"),
            Map.entry("retention_sweep", "a row for each rule"),
            Map.entry("script", "what people deploy: runs of any age may name it"),
            Map.entry("script_path", "what people deploy"),
            Map.entry("script_version", "what people deploy"),
            Map.entry("flow", "what people deploy: runs of any age may name it"),
            Map.entry("flow_path", "what people deploy"),
            Map.entry("flow_number", "what people deploy"),
            Map.entry("flow_use", "a row for each path that a deployed flow names"),
            Map.entry("flow_version", "what people deploy"));

    @Test
    void nameEachTableThatGrows() {
        TreeSet<String> known = new TreeSet<>(WITHOUT.keySet());
        RetentionRules.ALL.stream()
                .map(RetentionRule::table)
                .forEach(table -> assertThat(known.add(table)).as(table).isTrue());

        assertThat(tables())
                .as("each table has a rule in RetentionRules, or a reason here why it does not grow")
                .containsExactlyInAnyOrderElementsOf(known);
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
