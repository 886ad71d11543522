package dev.millrace.scheduler.run.search;

import static org.jooq.impl.DSL.condition;
import static org.jooq.impl.DSL.noCondition;
import static org.jooq.impl.DSL.not;

import org.jooq.Condition;
import org.jooq.Field;

/** Rows of root jobs by the {@link KindOfRun}. */
final class KindOfRunRows {
    /**
     * The runs of scripts with a name that no script has. The index {@code job_history_prepared} has the same
     * predicate, and Postgres only uses it for conditions in these words. So do not bind its values.
     */
    private static final String IS_PREPARATION =
            "{0} = 1 and ({1} like '% (packages)' or {1} like '% (types)' or {1} like '% (schema)')";

    private KindOfRunRows() {}

    static Condition are(KindOfRun wanted, Field<Short> kind, Field<String> name) {
        return switch (wanted) {
            case WORK -> not(condition(IS_PREPARATION, kind, name));
            case PREPARATION -> condition(IS_PREPARATION, kind, name);
            case ALL -> noCondition();
        };
    }
}
