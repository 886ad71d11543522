package dev.millrace.scheduler.worker;

import dev.millrace.proto.worker.v1.ProcessReport;
import dev.millrace.proto.worker.v1.ScriptProcess;
import dev.millrace.scheduler.access.Access;
import dev.millrace.scheduler.access.Role;
import dev.millrace.scheduler.queue.core.Workspace;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The processes that a caller sees: those of scripts in workspaces and folders in which the caller may read. A worker
 * that serves several workspaces shows each caller only its own.
 */
final class VisibleProcesses {
    private final Access access;
    private final Map<ReportedVersion, String> paths;

    private VisibleProcesses(Access access, Map<ReportedVersion, String> paths) {
        this.access = access;
        this.paths = paths;
    }

    /** Reads the paths of the scripts in these reports from the database. */
    static VisibleProcesses to(Access access, Collection<ProcessReport> reports, SessionStore store) {
        Set<ReportedVersion> versions = reports.stream()
                .flatMap(report -> report.getProcessesList().stream())
                .map(ReportedVersion::of)
                .filter(version -> access.rights().allowsAnyFolder(Role.VIEWER, version.workspace()))
                .collect(Collectors.toSet());
        return new VisibleProcesses(access, versions.isEmpty() ? Map.of() : store.scriptPaths(versions));
    }

    /** The processes of a report that the caller sees, with the paths of their scripts. */
    List<ScriptProcess> of(ProcessReport report) {
        return report.getProcessesList().stream()
                .map(process -> process.toBuilder()
                        .setScriptPath(paths.getOrDefault(ReportedVersion.of(process), ""))
                        .build())
                .filter(this::isVisible)
                .toList();
    }

    /** A version without a path is shown only to those who may read the whole workspace. */
    private boolean isVisible(ScriptProcess process) {
        Workspace workspace = new Workspace(process.getWorkspace());
        return process.getScriptPath().isEmpty()
                ? access.rights().allows(Role.VIEWER, workspace)
                : access.allows(Role.VIEWER, workspace, process.getScriptPath());
    }
}
