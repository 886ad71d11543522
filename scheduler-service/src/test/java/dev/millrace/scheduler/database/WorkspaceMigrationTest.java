package dev.millrace.scheduler.database;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.config.DatabaseLocation;
import dev.millrace.scheduler.testing.TestDatabase;
import java.util.List;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Test;

/** Tests that every workspace of an installation that is upgraded exists afterwards. */
class WorkspaceMigrationTest {
    @Test
    void everyWorkspaceThatIsInUseExistsAfterwards() {
        try (TestDatabase testDatabase = TestDatabase.empty()) {
            DatabaseLocation location = testDatabase.config().location();
            Flyway.configure()
                    .dataSource(location.jdbcUrl(), location.user(), location.password())
                    .target("082")
                    .load()
                    .migrate();
            testDatabase.execute("""
                    insert into job_queue (bucket, id, run_id, workspace, kind, target, name, step_key, tag, priority, order_key, state,
                        timeout_millis, input)
                    select 0, id, id, 'running', 2, 'h', 'h', '', 'handler:h', 0, 1, 1, 1, '{}' from (select gen_random_uuid() as id) j
                    """);
            testDatabase.execute("""
                    insert into role_binding (workspace, folder, subject, role, created_by)
                    values ('', '', 'user:root', 'owner', 'test'), ('granted', '', 'user:ada', 'viewer', 'test')
                    """);
            testDatabase.execute("""
                    insert into credential (id, hash, kind, name, workspaces, created_by)
                    values (gen_random_uuid(), '\\x00', 'worker', 'rack', '{served,granted}', 'test')
                    """);

            try (Database database = testDatabase.open()) {
                List<String> all = database.run(dsl ->
                        dsl.fetch("select key from workspace order by key").getValues(0, String.class));
                List<String> unusual = database.run(dsl -> dsl.fetch("""
                                select key from workspace w where state <> 'active' or name <> key or isolated or own_tags
                                    or not exists (select from workspace_name n where n.name = w.name and n.key = w.key)
                                """).getValues(0, String.class));
                assertThat(all).containsExactly("default", "granted", "running", "served");
                assertThat(unusual).isEmpty();
            }
        }
    }
}
