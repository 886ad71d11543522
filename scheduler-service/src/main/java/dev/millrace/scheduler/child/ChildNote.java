package dev.millrace.scheduler.child;

import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.RunId;

/**
 * What is still to be done about a run that another one waits for, or waited for.
 *
 * @param stepKey of the parent, the step that waits or waited
 * @param waitId of the row in the queue that stands or stood for it
 */
record ChildNote(RunId child, Kind kind, RunId parent, String stepKey, JobId waitId) {
    /** With the code that stands for it in the database. */
    enum Kind {
        /** The run has ended: the parent is to be told. */
        ENDED(1),
        /** The parent waits no longer: the run is to be cancelled. */
        ABANDONED(2);

        private final short code;

        Kind(int code) {
            this.code = (short) code;
        }

        short code() {
            return code;
        }

        static Kind ofCode(int code) {
            return code == ENDED.code ? ENDED : ABANDONED;
        }
    }
}
