package dev.millrace.scheduler.queue.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class BacklogTest {
    private static final ClaimOrder OLD = new ClaimOrder(0, 1);
    private static final ClaimOrder YOUNG = new ClaimOrder(0, 2);
    private static final ClaimOrder URGENT = new ClaimOrder(1, 3);

    private final Backlog backlog = new Backlog();

    @Test
    void assumesThatOlderJobsWaitIfNothingIsKnown() {
        assertThat(backlog.mayWait("t")).isTrue();
        assertThat(backlog.mayPass("t", URGENT)).isFalse();
    }

    @Test
    void letsEveryJobPassAnEmptyQueue() {
        backlog.drained(List.of("t"), backlog.changes());

        assertThat(backlog.mayWait("t")).isFalse();
        assertThat(backlog.mayPass("t", YOUNG)).isTrue();
    }

    @Test
    void letsNoJobOvertakeAWaitingJob() {
        backlog.drained(List.of("t"), backlog.changes());
        backlog.added("t", OLD);

        assertThat(backlog.mayPass("t", YOUNG)).isFalse();
        assertThat(backlog.mayPass("t", OLD)).isTrue();
        assertThat(backlog.mayPass("t", URGENT)).isTrue();
    }

    @Test
    void knowsThatWaitingJobsAreBehindTheLastClaimedJob() {
        backlog.claimedUpTo(List.of("t"), YOUNG, backlog.changes());

        assertThat(backlog.mayWait("t")).isTrue();
        assertThat(backlog.mayPass("t", OLD)).isTrue();
        assertThat(backlog.mayPass("t", new ClaimOrder(0, 3))).isFalse();
    }

    @Test
    void ignoresAClaimThatBeganBeforeAJobWasAdded() {
        long before = backlog.changes();
        backlog.added("t", OLD);
        backlog.drained(List.of("t"), before);

        assertThat(backlog.mayWait("t")).isTrue();
    }
}
