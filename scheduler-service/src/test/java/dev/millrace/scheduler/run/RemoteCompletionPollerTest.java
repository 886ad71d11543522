package dev.millrace.scheduler.run;

import static dev.millrace.scheduler.testing.RunningScheduler.handler;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.proto.operation.v1.CancelRunRequest;
import dev.millrace.proto.run.v1.SubmitRunRequest;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.queue.RunEvents;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.testing.RunningScheduler;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class RemoteCompletionPollerTest {
    /** Events of a scheduler of the same database that has not ended the runs itself. */
    private final RunEvents events = new RunEvents();

    @Test
    void tellsOfRunsThatAnotherSchedulerHasEnded() {
        try (RunningScheduler other = new RunningScheduler();
                Database database = Database.open(other.database().config())) {
            RemoteCompletionPoller missed = new RemoteCompletionPoller(database, events);
            RunId ends = submit(other);
            CompletableFuture<RunId> ended = events.whenEnded(ends);
            CompletableFuture<RunId> live = events.whenEnded(submit(other));
            missed.look();
            assertThat(ended).isNotDone();

            other.operations()
                    .cancelRun(CancelRunRequest.newBuilder()
                            .setRunId(ends.toString())
                            .build());
            missed.look();

            assertThat(ended).isCompletedWithValue(ends);
            assertThat(live).isNotDone();
        }
    }

    private static RunId submit(RunningScheduler scheduler) {
        SubmitRunRequest request = SubmitRunRequest.newBuilder()
                .setSpec(handler("nobody", spec -> spec))
                .build();
        return RunId.parse(scheduler.runs().submitRun(request).getRun().getId());
    }
}
