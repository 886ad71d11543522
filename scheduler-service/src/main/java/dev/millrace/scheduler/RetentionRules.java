package dev.millrace.scheduler;

import dev.millrace.scheduler.bulk.BulkRetention;
import dev.millrace.scheduler.cache.CacheRetention;
import dev.millrace.scheduler.evaluation.EvaluationRetention;
import dev.millrace.scheduler.jobapi.JobApiRetention;
import dev.millrace.scheduler.limit.LimitRetention;
import dev.millrace.scheduler.log.LogRetention;
import dev.millrace.scheduler.operation.OperationRetention;
import dev.millrace.scheduler.retention.RetentionRule;
import dev.millrace.scheduler.run.RunRetention;
import dev.millrace.scheduler.signal.SignalRetention;
import java.util.List;

/**
 * The rules of all growing tables. The rule of the runs comes first, so that a run is removed before the rows kept with
 * it.
 */
final class RetentionRules {
    static final List<RetentionRule> ALL = List.of(
            RunRetention.HISTORY,
            LogRetention.LOGS,
            LogRetention.ERASED_RUNS,
            RunRetention.SUBMISSIONS,
            RunRetention.ORIGINS,
            RunRetention.OPTIONS,
            OperationRetention.OPERATIONS,
            SignalRetention.SIGNALS,
            JobApiRetention.RUN_DATA,
            JobApiRetention.MUTEXES,
            CacheRetention.RESULTS,
            CacheRetention.CALLS,
            BulkRetention.OPERATIONS,
            LimitRetention.BEGINS,
            EvaluationRetention.KILLED_REQUESTS);

    private RetentionRules() {}
}
