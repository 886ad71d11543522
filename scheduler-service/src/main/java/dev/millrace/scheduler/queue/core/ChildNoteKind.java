package dev.millrace.scheduler.queue.core;

/** Kind of a note about a run that another run waits for, or waited for, with its code in the database. */
public enum ChildNoteKind {
    /** The run has ended: the parent is to be told. */
    ENDED(1),
    /** The parent waits no longer: the run is to be canceled. */
    ABANDONED(2);

    private final short code;

    ChildNoteKind(int code) {
        this.code = (short) code;
    }

    public short code() {
        return code;
    }

    /** The kind with this code. */
    public static ChildNoteKind ofCode(int code) {
        return code == ENDED.code ? ENDED : ABANDONED;
    }
}
