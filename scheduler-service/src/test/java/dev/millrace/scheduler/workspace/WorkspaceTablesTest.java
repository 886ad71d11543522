package dev.millrace.scheduler.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.testing.MigratedDatabase;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests that the deletion of a workspace knows every table whose rows belong to workspaces or runs. */
class WorkspaceTablesTest {
    @RegisterExtension
    private static final MigratedDatabase DATABASE = new MigratedDatabase();

    /** Columns that say to which workspace or run a row belongs. */
    private static final String OWNED = """
            select distinct c.table_name
            from information_schema.columns c join pg_class t on t.oid = format('%I.%I', c.table_schema, c.table_name)::regclass
            where c.table_schema = current_schema() and c.column_name in ('workspace', 'workspaces', 'run_id', 'child_run_id')
              and t.relkind in ('r', 'p') and not t.relispartition
            """;

    @Test
    void everyTableOfWorkspacesAndRunsIsDeletedOrHasAReason() {
        List<String> owned = DATABASE.database().run(dsl -> dsl.fetch(OWNED).getValues(0, String.class));
        List<String> known = Stream.of(
                        WorkspaceTables.BEFORE_RUNS.stream().map(WorkspaceTables.ByKey::table),
                        WorkspaceTables.OF_RUNS.stream().map(WorkspaceTables.ByRun::table),
                        WorkspaceTables.AFTER_RUNS.stream().map(WorkspaceTables.ByKey::table),
                        WorkspaceTables.OTHERWISE.keySet().stream())
                .flatMap(tables -> tables)
                .toList();

        assertThat(new TreeSet<>(owned))
                .as("add the table to WorkspaceTables: who deletes a workspace expects that nothing of it is left")
                .isSubsetOf(new TreeSet<>(known));
    }
}
