package dev.millrace.scheduler.flow.core.machine;

import dev.millrace.scheduler.flow.core.state.FlowState;
import dev.millrace.scheduler.queue.core.JobId;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The id of a job that is about to be enqueued. It is created when an expression asks for it. */
final class NewJobId {
    private final FlowState state;
    private @Nullable JobId id;

    NewJobId(FlowState state) {
        this.state = state;
    }

    /** Returns the id, creating it if necessary; empty if the state has no source of ids. */
    Optional<JobId> take() {
        if (id == null) {
            id = state.ids().map(ids -> ids.nextJob(state.run())).orElse(null);
        }
        return taken();
    }

    /** Returns the id if it has been created. */
    Optional<JobId> taken() {
        return Optional.ofNullable(id);
    }
}
