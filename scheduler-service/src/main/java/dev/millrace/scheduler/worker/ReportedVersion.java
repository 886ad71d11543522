package dev.millrace.scheduler.worker;

import dev.millrace.proto.worker.v1.ScriptProcess;
import dev.millrace.scheduler.queue.core.Workspace;

/** The version of a script that a process of a worker runs. */
record ReportedVersion(Workspace workspace, String hash) {
    static ReportedVersion of(ScriptProcess process) {
        return new ReportedVersion(new Workspace(process.getWorkspace()), process.getScriptHash());
    }
}
