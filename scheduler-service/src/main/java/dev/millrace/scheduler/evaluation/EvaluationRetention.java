package dev.millrace.scheduler.evaluation;

import dev.millrace.scheduler.retention.Age;
import dev.millrace.scheduler.retention.OldRows;
import dev.millrace.scheduler.retention.RetentionRule;
import dev.millrace.scheduler.retention.Since;

/** Retention rule for requests that killed their evaluator process. */
public final class EvaluationRetention {
    public static final RetentionRule KILLED_REQUESTS = OldRows.of(
            "killed_request",
            "Expressions that end their evaluators",
            Since.time("killed_at"),
            Age.fixed(KilledRequestStore.KEPT));

    private EvaluationRetention() {}
}
