package dev.millrace.scheduler.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.queue.LeasedJob;
import dev.millrace.scheduler.queue.SlotRef;
import dev.millrace.scheduler.queue.core.IdSource;
import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.JobKind;
import dev.millrace.scheduler.queue.core.JobOptions;
import dev.millrace.scheduler.queue.core.Losses;
import dev.millrace.scheduler.queue.core.QueuedJob;
import dev.millrace.scheduler.queue.core.RetryPolicy;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.SessionId;
import dev.millrace.scheduler.queue.core.Workspace;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BegunJobsTest {
    private static final IdSource IDS = new IdSource(() -> 1_000, new Random(1));
    private static final SlotRef SEAT = new SlotRef(new SessionId(IDS.nextUuid()), "python");

    private final List<LeasedJob> leases =
            IntStream.range(0, 6).mapToObj(BegunJobsTest::lease).toList();

    @Test
    void includeTheJobsThatTheWorkerReported() {
        Set<JobId> told = Set.of(id(1), id(4));

        assertThat(BegunJobs.of(leases, told::contains, _ -> 2)).containsExactlyInAnyOrder(id(1), id(4));
    }

    @Test
    void includeTheFirstJobsInOrderForWhichSlotsWereFree() {
        Set<JobId> told = Set.of(id(1));

        assertThat(BegunJobs.of(leases.reversed(), told::contains, _ -> 3))
                .containsExactlyInAnyOrder(id(0), id(1), id(2));
    }

    private JobId id(int index) {
        return leases.get(index).job().id();
    }

    static LeasedJob lease(int order) {
        RunId run = IDS.nextRun();
        QueuedJob job = new QueuedJob(
                run.rootJob(),
                run,
                Workspace.DEFAULT,
                JobKind.HANDLER,
                "h",
                "h",
                new JobOptions("t", 0, Duration.ofMinutes(1), RetryPolicy.NONE),
                order,
                1,
                Losses.NONE,
                "");
        return new LeasedJob(job, SEAT, IDS.nextLeaseToken());
    }
}
