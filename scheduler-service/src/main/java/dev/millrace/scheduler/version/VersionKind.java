package dev.millrace.scheduler.version;

import dev.millrace.scheduler.queue.core.JobKind;

/** Kinds of versions to which a path can lead. */
public enum VersionKind {
    SCRIPT(1, JobKind.SCRIPT),
    FLOW(2, JobKind.FLOW);

    private final short code;
    private final JobKind root;

    VersionKind(int code, JobKind root) {
        this.code = (short) code;
        this.root = root;
    }

    /** Code of the kind in {@code flow_use}. */
    public short code() {
        return code;
    }

    /** Kind of the root jobs of its runs. */
    JobKind root() {
        return root;
    }

    String inWords() {
        return this == SCRIPT ? "script" : "flow";
    }
}
