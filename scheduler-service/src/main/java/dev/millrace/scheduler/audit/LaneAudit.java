package dev.millrace.scheduler.audit;

import dev.millrace.scheduler.lane.FlushPlan;
import java.util.Optional;

/** The events of calls whose changes a lane makes. */
public final class LaneAudit {
    private LaneAudit() {}

    /**
     * Adds the event of a call to the flush that makes the change. Must come before the call is answered.
     *
     * @param call {@link AuditedCall#present} of the thread that has sent the command
     */
    public static void add(FlushPlan plan, Optional<AuditedCall> call) {
        call.ifPresent(present -> {
            plan.add(RecordAuditStatement.SECTION, present.event());
            plan.afterCommit(present::written);
        });
    }
}
