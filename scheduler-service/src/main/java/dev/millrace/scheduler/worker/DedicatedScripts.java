package dev.millrace.scheduler.worker;

import dev.millrace.scheduler.access.WorkerScope;
import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.flow.Flows;
import dev.millrace.scheduler.packages.PackageLock;
import dev.millrace.scheduler.packages.PackageLocks;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.script.Script;
import dev.millrace.scheduler.script.Scripts;
import dev.millrace.scheduler.workspace.WorkspaceDirectory;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The versions for which workers keep processes ready: those of a script, or of all scripts that a flow runs. Blocking. */
final class DedicatedScripts {
    /** Maximum number of scripts of one flow for which a worker can keep processes. */
    private static final int SCRIPTS_MAX = 100;

    private final Scripts scripts;
    private final Flows flows;
    private final PackageLocks packages;
    private final WorkspaceDirectory workspaces;

    DedicatedScripts(Scripts scripts, Flows flows, PackageLocks packages, WorkspaceDirectory workspaces) {
        this.scripts = scripts;
        this.flows = flows;
        this.packages = packages;
        this.workspaces = workspaces;
    }

    /** Returns the hash of the current version of a script. */
    SortedSet<String> ofScript(WorkerScope scope, Workspace workspace, String path) {
        requireServed(scope, workspace, ErrorCode.SCRIPT_NOT_FOUND, "script", path);
        Script current = scripts.findCurrentWithoutContent(workspace, path)
                .orElseThrow(() -> notFound(workspace, ErrorCode.SCRIPT_NOT_FOUND, "script", path));
        return new TreeSet<>(Set.of(current.hash()));
    }

    /** Returns the hashes of the scripts that the current version of a flow runs, including those of its sub-flows. */
    SortedSet<String> ofFlow(WorkerScope scope, Workspace workspace, String path) {
        requireServed(scope, workspace, ErrorCode.FLOW_NOT_FOUND, "flow", path);
        SortedSet<String> hashes = flows.findCurrentScripts(workspace, path)
                .orElseThrow(() -> notFound(workspace, ErrorCode.FLOW_NOT_FOUND, "flow", path));
        if (hashes.size() > SCRIPTS_MAX) {
            throw new MillraceException(
                    ErrorCode.TOO_MANY,
                    "The flow " + path + " runs " + hashes.size()
                            + " scripts, but a worker keeps processes for at most " + SCRIPTS_MAX
                            + " scripts of a flow: dedicate workers to single scripts.");
        }
        return hashes;
    }

    /** Returns a version with its content. */
    Script script(Workspace workspace, String hash) {
        return scripts.find(workspace, hash)
                .orElseThrow(() -> new MillraceException(
                        ErrorCode.SCRIPT_NOT_FOUND, "The script version " + hash + " was removed meanwhile."));
    }

    /** Returns the packages that were chosen for a version, by interpreter. */
    Map<String, String> packageLocks(Workspace workspace, String hash) {
        List<PackageLock> locks = packages.list(workspace, hash);
        return locks.stream().collect(Collectors.toMap(PackageLock::interpreter, PackageLock::content));
    }

    /** A worker learns no paths of workspaces that it does not serve. */
    private void requireServed(WorkerScope scope, Workspace workspace, ErrorCode code, String kind, String path) {
        if (!workspaces.mayServe(workspace, scope)) {
            throw notFound(workspace, code, kind, path);
        }
    }

    private MillraceException notFound(Workspace workspace, ErrorCode code, String kind, String path) {
        return new MillraceException(
                code,
                "There is no " + kind + " " + path + " in workspace " + workspaces.nameOf(workspace.name())
                        + " for this worker: deploy it, correct --dedicated, or give the worker a token for the workspace.");
    }
}
