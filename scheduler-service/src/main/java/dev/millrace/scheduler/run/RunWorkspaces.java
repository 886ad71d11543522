package dev.millrace.scheduler.run;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.queue.core.RunId;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Looks up the workspaces of runs. Blocking and thread-safe. */
public final class RunWorkspaces {
    private final RunStore runs;

    public RunWorkspaces(Database database) {
        this.runs = new RunStore(database);
    }

    /** The workspace of the run; empty if the run is unknown. */
    public Optional<String> find(RunId run) {
        return runs.findWorkspace(run);
    }

    /** The workspaces of the runs; unknown runs are missing. */
    public Map<RunId, String> find(List<RunId> wanted) {
        return runs.workspaces(wanted);
    }
}
