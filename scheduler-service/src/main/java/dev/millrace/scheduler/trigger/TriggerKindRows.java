package dev.millrace.scheduler.trigger;

import dev.millrace.scheduler.submission.RunTemplate;
import org.jooq.DSLContext;

/** The rows that a kind keeps of its triggers. A foreign key to {@code trigger} deletes them with the trigger. */
@FunctionalInterface
public interface TriggerKindRows {
    /** A kind without rows of its own. */
    TriggerKindRows NONE = (_, _) -> {};

    /** Called in each transaction that creates, changes, pauses or resumes a trigger, with the trigger as it is then. */
    void changed(DSLContext dsl, Trigger trigger);

    /** The run of a trigger as the kind starts it, with a value for what each occurrence adds to the input. */
    default RunTemplate sample(TriggerSpec spec) {
        return spec.run();
    }
}
