package dev.millrace.scheduler.eventhandler;

import static java.util.Objects.requireNonNull;

/** What became of an action. */
sealed interface ActionOutcome {
    /**
     * It was done.
     *
     * @param note what was done, if that is not plain; may be empty
     */
    record Done(String note) implements ActionOutcome {
        public Done {
            requireNonNull(note, "note");
        }
    }

    /** It cannot be done. */
    record Failed(String reason) implements ActionOutcome {
        public Failed {
            requireNonNull(reason, "reason");
        }
    }

    /** It is tried again later, by any scheduler. */
    record Later(String reason) implements ActionOutcome {
        public Later {
            requireNonNull(reason, "reason");
        }
    }
}
