package dev.millrace.scheduler.config;

import dev.millrace.scheduler.expression.evaluator.EvaluatorSettings;

/**
 * Settings of the child processes that evaluate expressions.
 *
 * @param processes number of processes, and thus of concurrent evaluations
 * @param heapMib heap of each process, in MiB
 */
public record EvaluatorConfig(int processes, int heapMib) {
    static final int PROCESSES_DEFAULT = EvaluatorSettings.DEFAULT.processes();
    static final int HEAP_MIB_DEFAULT = EvaluatorSettings.DEFAULT.heapMib();

    public EvaluatorConfig {
        Expect.that(
                processes >= EvaluatorSettings.PROCESSES_MIN && processes <= EvaluatorSettings.PROCESSES_MAX,
                KnownKeys.EVALUATOR_PROCESSES,
                processes,
                EvaluatorSettings.PROCESSES_MIN + " to " + EvaluatorSettings.PROCESSES_MAX);
        Expect.that(
                heapMib >= EvaluatorSettings.HEAP_MIB_MIN && heapMib <= EvaluatorSettings.HEAP_MIB_MAX,
                KnownKeys.EVALUATOR_HEAP_MIB,
                heapMib,
                EvaluatorSettings.HEAP_MIB_MIN + " to " + EvaluatorSettings.HEAP_MIB_MAX);
    }

    public EvaluatorSettings settings() {
        return new EvaluatorSettings(processes, heapMib);
    }
}
