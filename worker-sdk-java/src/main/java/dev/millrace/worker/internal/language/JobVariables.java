package dev.millrace.worker.internal.language;

import dev.millrace.worker.language.JobStart;
import java.util.LinkedHashMap;
import java.util.Map;

/** Environment variables by which a script knows its job: those of Millrace, and those that scripts of Windmill read. */
final class JobVariables {
    private JobVariables() {}

    /** All but those for the workspace, which the process has from its start. */
    static Map<String, String> of(JobStart job) {
        // Scripts of Windmill know the run by these names if it is one of a flow.
        String flowRun = job.step().isEmpty() ? "" : job.runId();
        Map<String, String> variables = new LinkedHashMap<>();
        variables.put("MILLRACE_JOB_ID", job.jobId());
        variables.put("MILLRACE_RUN_ID", job.runId());
        variables.put("MILLRACE_STEP", job.step());
        variables.put("MILLRACE_ATTEMPT", Integer.toString(job.attempt()));
        variables.put("MILLRACE_IDEMPOTENCY_KEY", job.idempotencyKey());
        variables.put("WM_JOB_ID", job.jobId());
        variables.put("WM_FLOW_JOB_ID", flowRun);
        variables.put("WM_ROOT_FLOW_JOB_ID", flowRun);
        variables.put("WM_FLOW_STEP_ID", job.step());
        return variables;
    }
}
