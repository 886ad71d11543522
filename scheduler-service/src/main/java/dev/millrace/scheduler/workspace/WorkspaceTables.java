package dev.millrace.scheduler.workspace;

import java.util.List;
import java.util.Map;

/**
 * What becomes of each table's rows when their workspace is deleted. Whoever adds a table whose rows belong to a workspace or
 * to a run adds it here; a test compares this list with the schema.
 */
final class WorkspaceTables {
    /**
     * Tables whose rows are deleted by a condition on the workspace's key, in this order.
     *
     * @param condition with one parameter, the key
     */
    record ByKey(String table, String condition) {
        static ByKey named(String table) {
            return new ByKey(table, "workspace = ?");
        }
    }

    /** Deleted before the runs: operations and triggers that would begin further runs. */
    static final List<ByKey> BEFORE_RUNS = List.of(
            ByKey.named("bulk_operation"),
            ByKey.named("trigger"),
            ByKey.named("event_trigger_reader"),
            ByKey.named("event_handler"));

    /**
     * Tables whose rows belong to runs, deleted run by run.
     *
     * @param run column with the id of the run
     * @param key columns by which the rows are deleted
     */
    record ByRun(String table, String run, String key) {
        ByRun(String table, String key) {
            this(table, "run_id", key);
        }
    }

    /** Deleted in this order, before the root rows of the runs. */
    static final List<ByRun> OF_RUNS = List.of(
            new ByRun("job_log", "job_id, attempt, stream, sequence"),
            new ByRun("signal", "bucket, id"),
            new ByRun("wait_link_revocation", "run_id, step_key, actor"),
            new ByRun("run_operation", "run_id, id"),
            new ByRun("run_origin", "run_id"),
            new ByRun("run_data", "bucket, run_id, key"),
            new ByRun("run_option", "run_id"),
            new ByRun("job_attempt", "run_id, job_id, attempt"),
            new ByRun("job_started_run", "job_id, start_key"),
            new ByRun("blob_use", "blob_id, run_id"),
            new ByRun("erased_run", "run_id"),
            new ByRun("worker_group", "bucket, run_id, id"),
            new ByRun("child_note", "child_run_id", "child_run_id, kind"),
            new ByRun("result_cache_call", "bucket, run_id, step_key"),
            new ByRun("pinned_run", "run_id"),
            new ByRun("job_history", "bucket, id"));

    /** Deleted after the runs, in this order. */
    static final List<ByKey> AFTER_RUNS = List.of(
            ByKey.named("event_execution"),
            ByKey.named("alert_delivery"),
            ByKey.named("alert"),
            ByKey.named("event"),
            ByKey.named("event_recording"),
            ByKey.named("submission"),
            ByKey.named("pinned_run"),
            ByKey.named("result_cache_call"),
            ByKey.named("result_cache"),
            ByKey.named("mutex"),
            ByKey.named("script_state"),
            ByKey.named("deployment"),
            ByKey.named("flow_number"),
            ByKey.named("flow_path"),
            ByKey.named("flow_version"),
            ByKey.named("script_path"),
            ByKey.named("script_version"),
            ByKey.named("resource"),
            ByKey.named("resource_type"),
            ByKey.named("secret"),
            ByKey.named("deleted_secret"),
            ByKey.named("workspace_key"),
            ByKey.named("token_trust"),
            ByKey.named("role_binding"),
            ByKey.named("workspace_quota"),
            ByKey.named("activity_minute"),
            new ByKey("credential", "principal_id in (select id from principal where workspace = ?)"),
            new ByKey("credential", "workspaces = array[?::text]"),
            ByKey.named("principal"));

    /** Tables with columns for workspaces or runs that are not in the lists above, and why. */
    static final Map<String, String> OTHERWISE = Map.of(
            "job_queue", "runs in progress are canceled, which removes their rows",
            "worker_session", "a session ends with the token of its worker",
            "bulk_item", "a foreign key deletes it with its operation",
            "blob", "without uses the sweep of blobs deletes them, with their bytes",
            "package_lock", "a foreign key deletes it with its version of a script",
            "trigger_start", "a foreign key deletes it with its trigger",
            "trigger_use", "a foreign key deletes it with its trigger",
            "audit_event", "who did what in the workspace stays known for its time",
            "secret_version", "a foreign key deletes it with its secret");

    private WorkspaceTables() {}
}
