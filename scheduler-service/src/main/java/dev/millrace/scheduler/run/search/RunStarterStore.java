package dev.millrace.scheduler.run.search;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.queue.KeptOptionColumn;
import dev.millrace.scheduler.queue.RunRelation;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.run.Run;
import dev.millrace.scheduler.run.RunOrigin;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jooq.Record;

/** Reads who or what started the runs of a list. */
final class RunStarterStore {
    private static final String STARTERS = """
            select r.id, o.started_by, o.triggered_by, g.origin_run_id, g.relation, g.step_key
            from unnest(?::uuid[]) as r (id)
            left join run_option o on o.run_id = r.id left join run_origin g on g.run_id = r.id
            """;

    private final Database database;

    RunStarterStore(Database database) {
        this.database = database;
    }

    /** Adds to runs who or what started them. The other options that are kept with a run stay absent. */
    List<Run> withStarters(List<Run> runs) {
        if (runs.isEmpty()) {
            return runs;
        }
        UUID[] ids = runs.stream().map(run -> run.id().value()).toArray(UUID[]::new);
        Map<RunId, Record> rows = new HashMap<>();
        database.run(dsl -> dsl.fetch(STARTERS, (Object) ids))
                .forEach(row -> rows.put(new RunId(row.get("id", UUID.class)), row));
        return runs.stream()
                .map(run -> Optional.ofNullable(rows.get(run.id()))
                        .map(row -> withStarter(run, row))
                        .orElse(run))
                .toList();
    }

    private static Run withStarter(Run run, Record row) {
        return run.with(origin(row), KeptOptionColumn.read(column -> switch (column) {
            case STARTED_BY, TRIGGERED_BY -> row.get(column.columnName(), String.class);
            case ENV, JOB_LIMIT, START_WITHIN_MILLIS, STARTER_CREDENTIAL, STEP_INPUT_OF, STEP_INPUT -> null;
        }));
    }

    private static Optional<RunOrigin> origin(Record row) {
        return Optional.ofNullable(row.get("origin_run_id", UUID.class))
                .map(other -> new RunOrigin(
                        new RunId(other),
                        RunRelation.of(row.get("relation", String.class)),
                        row.get("step_key", String.class)));
    }
}
