package dev.millrace.scheduler.run.search;

import static dev.millrace.scheduler.database.tables.Tables.RUN_OPTION;
import static dev.millrace.scheduler.database.tables.Tables.RUN_ORIGIN;
import static org.jooq.impl.DSL.exists;
import static org.jooq.impl.DSL.selectOne;

import dev.millrace.scheduler.queue.core.RunId;
import java.util.Optional;
import java.util.UUID;
import org.jooq.Condition;
import org.jooq.Field;

/**
 * Conditions on who or what started a run. No index has it, since each submission would pay for one; so the options and
 * the origin of each run are looked up.
 */
final class RunStarterRows {
    private RunStarterRows() {}

    /**
     * Whether this has started the run. A run of a trigger was not started by the person for whom the trigger acts.
     *
     * @param starter a person or service account, a trigger as {@code KIND PATH}, a kind of triggers, or the id of a run
     */
    static Condition isStartedBy(Field<UUID> run, String starter) {
        Condition isStarter = RUN_OPTION
                .TRIGGERED_BY
                .eq(starter)
                .or(RUN_OPTION.TRIGGERED_BY.startsWith(starter + " "))
                .or(RUN_OPTION.TRIGGERED_BY.isNull().and(RUN_OPTION.STARTED_BY.eq(starter)));
        Condition started = exists(
                selectOne().from(RUN_OPTION).where(RUN_OPTION.RUN_ID.eq(run)).and(isStarter));
        return origin(starter)
                .map(id -> started.or(exists(selectOne()
                        .from(RUN_ORIGIN)
                        .where(RUN_ORIGIN.RUN_ID.eq(run).and(RUN_ORIGIN.ORIGIN_RUN_ID.eq(id.value()))))))
                .orElse(started);
    }

    private static Optional<RunId> origin(String starter) {
        try {
            return Optional.of(RunId.parse(starter));
        } catch (IllegalArgumentException somethingElse) {
            return Optional.empty();
        }
    }
}
