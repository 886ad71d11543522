package dev.millrace.scheduler.evaluation;

import dev.millrace.scheduler.retention.Age;
import dev.millrace.scheduler.retention.OldRows;
import dev.millrace.scheduler.retention.RetentionRule;
import dev.millrace.scheduler.retention.Since;
import dev.millrace.scheduler.retention.TableRetention;
import java.util.List;

/** Retention rule for requests that killed their evaluator process. */
public final class EvaluationRetention {
    public static final RetentionRule KILLED_REQUESTS = OldRows.of(
            "killed_request",
            "Expressions that end their evaluators",
            Since.time("killed_at"),
            Age.fixed(KilledRequestStore.KEPT));

    public static final List<TableRetention> TABLES = List.of(KILLED_REQUESTS);

    private EvaluationRetention() {}
}
