package dev.millrace.scheduler.queue.core;

/** Kind of a note about a child run, with its code in the database. */
public enum ChildNoteKind {
    /** The child run has ended, and its parent must be told. */
    ENDED(1),
    /** The parent no longer waits, and the child run must be canceled. */
    ABANDONED(2);

    private final short code;

    ChildNoteKind(int code) {
        this.code = (short) code;
    }

    public short code() {
        return code;
    }

    /** Returns the kind with a code. */
    public static ChildNoteKind ofCode(int code) {
        return code == ENDED.code ? ENDED : ABANDONED;
    }
}
