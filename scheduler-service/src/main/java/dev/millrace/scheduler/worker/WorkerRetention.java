package dev.millrace.scheduler.worker;

import dev.millrace.scheduler.retention.NoRule;
import dev.millrace.scheduler.retention.TableRetention;
import java.util.List;

/** How long sessions of workers are kept. */
public final class WorkerRetention {
    public static final List<TableRetention> TABLES = List.of(
            new NoRule(
                    "worker_session",
                    "a session that has ended goes once its jobs are given back: SessionStore.deleteIfEmpty"),
            new NoRule("session_watch", "one row"));

    private WorkerRetention() {}
}
