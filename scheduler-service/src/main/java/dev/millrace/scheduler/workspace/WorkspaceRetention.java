package dev.millrace.scheduler.workspace;

import dev.millrace.scheduler.retention.NoRule;
import dev.millrace.scheduler.retention.TableRetention;
import java.util.List;

/** How long workspaces are kept. */
public final class WorkspaceRetention {
    public static final List<TableRetention> TABLES = List.of(
            new NoRule("workspace", "a deleted workspace leaves its row, so that its key is not given again"),
            new NoRule("workspace_name", "the names of a workspace are deleted with it"));

    private WorkspaceRetention() {}
}
