package dev.millrace.scheduler.wake;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.proto.run.v1.Run;
import dev.millrace.proto.run.v1.RunSpec;
import dev.millrace.proto.run.v1.RunTarget;
import dev.millrace.scheduler.testing.FlowRuns;
import dev.millrace.scheduler.testing.RunningScheduler;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class DeadlinesTest {
    @RegisterExtension
    private static final RunningScheduler SCHEDULER = new RunningScheduler();

    private static final FlowRuns FLOWS = new FlowRuns(SCHEDULER);

    /** The version of the first run's flow is lost. */
    @Test
    void timesOutRunsBehindARunThatCannotBeLoaded() {
        FLOWS.deploy("{millrace: v1, name: lost, timeout: 10m, steps: [{id: a, handler: nobody}]}");
        FLOWS.deploy("{millrace: v1, name: behind, timeout: 200ms, steps: [{id: a, handler: nobody}]}");
        RunSpec lost = RunSpec.newBuilder()
                .setTarget(RunTarget.newBuilder().setFlowPath("lost"))
                .build();
        UUID broken = UUID.fromString(SCHEDULER.submitToAnother(lost).getId());
        SCHEDULER
                .database()
                .execute("update job_queue set target = 'lost', run_after = now() where id = '" + broken + "'");

        assertTimedOut(FLOWS.run("behind"));
        // Ends in a later sweep, so that the sweep that met the broken run is complete.
        assertTimedOut(FLOWS.run("behind"));

        assertThat(isPostponed(broken)).isTrue();
        assertThat(FLOWS.get(broken.toString()).hasEndTime()).isFalse();
    }

    private static void assertTimedOut(Run run) {
        assertThat(run.getError().getName()).isEqualTo("TimedOut");
    }

    private static boolean isPostponed(UUID run) {
        return SCHEDULER
                .open()
                .run(sql -> sql.fetchSingle(
                                "select run_after > now() + interval '50 seconds' from job_queue where id = ?", run)
                        .get(0, Boolean.class));
    }
}
