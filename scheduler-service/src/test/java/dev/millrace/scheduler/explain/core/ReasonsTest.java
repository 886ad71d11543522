package dev.millrace.scheduler.explain.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.explain.core.LiveJob.Awaited;
import dev.millrace.scheduler.flow.core.definition.EventKind;
import dev.millrace.scheduler.flow.core.graph.StepKey;
import dev.millrace.scheduler.flow.core.state.NotBegun;
import dev.millrace.scheduler.queue.core.JobLimit;
import dev.millrace.scheduler.queue.core.JobState;
import dev.millrace.scheduler.tag.core.AbsentWorkers;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ReasonsTest {
    private static final Optional<Instant> TIME = Optional.of(Instant.parse("2026-01-01T00:00:00Z"));

    @Test
    void namesTheTagThatNoWorkerTakes() {
        assertThat(Reasons.of(job("a", JobState.QUEUED, 1, Optional.empty(), 0, 0)))
                .isEqualTo(new Reason(
                        "a",
                        Cause.NO_WORKER,
                        "No connected worker takes jobs with the tag \"python\". "
                                + "A worker does if it has slots for the tag and finds Python 3.10 or newer on its machine"
                                + " when it starts: \"./millrace workers list\" shows what each has found."));
    }

    @Test
    void countsTheSlotsAndWhatGoesFirst() {
        assertThat(text(job("a", JobState.QUEUED, 1, Optional.empty(), 4, 7)))
                .isEqualTo("It waits for one of the 4 slots of workers that take jobs with the tag \"python\". "
                        + "7 jobs with this tag go first.");
        assertThat(text(job("a", JobState.QUEUED, 1, Optional.empty(), 4, 0))).endsWith("It is the next one.");
    }

    @Test
    void tellsTimes() {
        assertThat(text(job("a", JobState.DELAYED, 1, TIME, 0, 0))).isEqualTo("Its wait ends at 2026-01-01T00:00:00Z.");
        assertThat(text(job("a", JobState.DELAYED, 3, TIME, 0, 0)))
                .isEqualTo("Attempt 3 begins at 2026-01-01T00:00:00Z.");
        assertThat(Reasons.of(job("#failure.a[2]#delay", JobState.DELAYED, 1, TIME, 0, 0)))
                .isEqualTo(new Reason("#failure.a[2]", Cause.TIME, "Its delay ends at 2026-01-01T00:00:00Z."));
        assertThat(Reasons.of(job("loop#limit", JobState.DELAYED, 1, TIME, 0, 0)))
                .isEqualTo(new Reason("loop", Cause.TIME_LIMIT, "Its timeout ends at 2026-01-01T00:00:00Z."));
    }

    @Test
    void tellsWhatIsHeldBack() {
        assertThat(Reasons.of(job("a", JobState.HELD, 1, Optional.empty(), 0, 0))
                        .cause())
                .isEqualTo(Cause.PAUSED);
        assertThat(Reasons.of(job("a#hold", JobState.DELAYED, 1, Optional.empty(), 0, 0)))
                .isEqualTo(new Reason("a", Cause.PAUSED, "It is held back because the run is paused. Resume the run."));
    }

    @Test
    void countsTheEventsThatCame() {
        LiveJob wait = new LiveJob(
                "ok",
                JobState.SUSPENDED,
                "",
                1,
                TIME,
                "",
                0,
                0,
                Optional.of(new Awaited(EventKind.APPROVAL, "release", 2, 1)),
                Optional.empty(),
                Optional.empty());

        assertThat(Reasons.of(wait))
                .isEqualTo(new Reason(
                        "ok",
                        Cause.EVENTS,
                        "It waits for the approval \"release\": 1 of 2 received. "
                                + "Its timeout ends at 2026-01-01T00:00:00Z."));
    }

    @Test
    void namesTheRunThatItWaitsFor() {
        assertThat(Reasons.of(awaiting(Optional.of(JobState.FLOW_RUNNING), false)))
                .isEqualTo(new Reason(
                        "call",
                        Cause.CHILD_RUN,
                        "It waits for the end of run r1 of the flow \"pay\", which is running."));
        assertThat(text(awaiting(Optional.of(JobState.TO_START), false))).endsWith("which has not started yet.");
        assertThat(text(awaiting(Optional.of(JobState.FLOW_RUNNING), true))).endsWith("which is paused.");
        assertThat(text(awaiting(Optional.empty(), false))).endsWith("which has just ended.");
    }

    private static LiveJob awaiting(Optional<JobState> state, boolean paused) {
        return new LiveJob(
                "call",
                JobState.SUSPENDED,
                "",
                1,
                Optional.empty(),
                "",
                0,
                0,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.of(new LiveJob.Child("r1", "pay", state, paused)),
                AbsentWorkers.NONE,
                Optional.empty());
    }

    @Test
    void namesTheWorkerThatHoldsTheFolder() {
        assertThat(Reasons.of(kept(0, "")))
                .isEqualTo(new Reason(
                        "a",
                        Cause.SLOT,
                        "It waits for the end of the first step of its same_worker group, which decides the worker."));
        assertThat(Reasons.of(kept(0, "w1")))
                .isEqualTo(new Reason(
                        "a",
                        Cause.NO_WORKER,
                        "It waits for worker \"w1\", which holds the folder of its same_worker group and takes no jobs now."
                                + " If that worker is lost, the step fails."));
        assertThat(text(kept(2, "w1")))
                .isEqualTo(
                        "It waits for one of the 2 slots of worker \"w1\", which holds the folder of its same_worker group."
                                + " It is the next one.");
    }

    @Test
    void tellsTheNumbersOfALimit() {
        JobLimit limit =
                new JobLimit("shop", OptionalInt.of(2), Optional.of(new JobLimit.Rate(10, Duration.ofMinutes(1))));

        assertThat(Reasons.of(inQueue(new LiveJob.LimitQueue(limit, 2, 7), 3)))
                .isEqualTo(new Reason(
                        "a",
                        Cause.LIMIT,
                        "It waits for its limit \"shop\": 2 of 2 places are taken, and 7 of 10 jobs that may begin in 1m have begun"
                                + " or are about to begin. 3 jobs with this key go first."));
        assertThat(text(inQueue(
                        new LiveJob.LimitQueue(new JobLimit("shop", OptionalInt.of(2), Optional.empty()), 1, 0), 0)))
                .isEqualTo("It waits for its limit \"shop\": 1 of 2 places are taken. It is the first in line.");
    }

    private static LiveJob inQueue(LiveJob.LimitQueue line, int ahead) {
        return new LiveJob(
                "a",
                JobState.QUEUED,
                "python",
                1,
                Optional.empty(),
                "",
                0,
                ahead,
                Optional.empty(),
                Optional.empty(),
                Optional.of(line));
    }

    @Test
    void namesSomeOfTheStepsThatAStepNeeds() {
        List<StepKey> needs = IntStream.rangeClosed(1, Reasons.NEEDS_MAX + 2)
                .mapToObj(number -> new StepKey("s" + number))
                .toList();
        assertThat(Reasons.of(new NotBegun(new StepKey("last"), needs, false)).text())
                .startsWith("It has not begun: it waits for the end of \"s1\", \"s2\",")
                .endsWith("\"s" + Reasons.NEEDS_MAX + "\" and 2 more.");
    }

    private static LiveJob kept(int slots, String keeper) {
        return new LiveJob(
                "a",
                JobState.QUEUED,
                "python",
                1,
                Optional.empty(),
                "",
                slots,
                0,
                Optional.empty(),
                Optional.of(keeper),
                Optional.empty());
    }

    private static String text(LiveJob job) {
        return Reasons.of(job).text();
    }

    private static LiveJob job(
            String key, JobState state, int attempt, Optional<Instant> runAfter, int slots, int ahead) {
        return new LiveJob(
                key,
                state,
                "python",
                attempt,
                runAfter,
                "",
                slots,
                ahead,
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }
}
