package dev.millrace.scheduler.queue.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.queue.core.AttemptDecision.Loss;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AttemptDecisionTest {
    private static final IdSource IDS = new IdSource(() -> 1_000, new Random(1));
    private static final JobError TRANSIENT = new JobError("E", "m", "", true);

    @Test
    void waitsLongerBeforeEachRetry() {
        RetryPolicy retry = new RetryPolicy(3, Duration.ofSeconds(1), 2, Duration.ofSeconds(3), 0);

        assertThat(delayAfter(1, 0, retry)).isEqualTo(Duration.ofSeconds(1));
        assertThat(delayAfter(2, 0, retry)).isEqualTo(Duration.ofSeconds(2));
        assertThat(delayAfter(3, 0, retry)).isEqualTo(Duration.ofSeconds(3));
    }

    @Test
    void usesUpItsPhasesOneAfterTheOther() {
        Duration second = Duration.ofSeconds(1);
        RetryPolicy retry = new RetryPolicy(
                List.of(
                        RetryPhase.constant(2, second),
                        RetryPhase.linear(2, second, 5),
                        RetryPhase.exponential(2, second, 3),
                        RetryPhase.power(2, Duration.ofSeconds(2), 4)),
                Duration.ofMinutes(10),
                0);

        assertThat(IntStream.rangeClosed(1, 8)
                        .mapToObj(n -> retry.delayBefore(n, 1).toSeconds()))
                .containsExactly(1L, 1L, 5L, 10L, 1L, 3L, 512L, 600L);
        assertThat(retry.retriesMax()).isEqualTo(8);
    }

    @Test
    void doesNotCountLostWorkersAsRetries() {
        RetryPolicy retry = new RetryPolicy(1, Duration.ofSeconds(1), 2, Duration.ofSeconds(9), 0);

        assertThat(delayAfter(3, new Losses(2, 2), retry)).isEqualTo(Duration.ofSeconds(1));
        assertThat(delayAfter(3, new Losses(2, 0), retry)).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void saysInSentencesWhyAndWhenItRetries() {
        RetryPolicy retry = new RetryPolicy(3, Duration.ofMillis(500), 2, Duration.ofSeconds(9), 0);
        AttemptResult failed = new AttemptResult.Failed(new JobError("ValueError", "Grace is not at home", "", true));

        assertThat(AttemptDecision.decide(job(1, 0, retry), failed, 3, 0))
                .extracting(decision -> ((AttemptDecision.Requeue) decision).note())
                .isEqualTo("Attempt 1 failed: ValueError: Grace is not at home. Retry 1 of 3 follows in 500 ms.");
        assertThat(AttemptDecision.decide(job(2, 0, retry), failed, 3, 0))
                .extracting(decision -> ((AttemptDecision.Requeue) decision).note())
                .asString()
                .endsWith("Retry 2 of 3 follows in 1.00 s.");
    }

    @Test
    void suspectsOnlyAJobThatHadBegun() {
        AttemptResult begun = new AttemptResult.WorkerLost("w", true);
        AttemptResult waited = new AttemptResult.WorkerLost("w", false);

        assertThat(AttemptDecision.decide(job(1, 0, RetryPolicy.NONE), begun, 3, 0))
                .isInstanceOfSatisfying(AttemptDecision.Requeue.class, requeue -> {
                    assertThat(requeue.newAttempt()).isTrue();
                    assertThat(requeue.loss()).isEqualTo(Loss.WHILE_BEGUN);
                });
        assertThat(AttemptDecision.decide(job(3, 2, RetryPolicy.NONE), waited, 3, 0))
                .isInstanceOfSatisfying(AttemptDecision.Requeue.class, requeue -> {
                    // The worker may still begin the job before it learns that its session has expired.
                    assertThat(requeue.newAttempt()).isTrue();
                    assertThat(requeue.loss()).isEqualTo(Loss.BEFORE_BEGIN);
                });
    }

    @Test
    void runsAJobAloneBeforeItsLastLossAndNamesItTheCulprit() {
        assertThat(job(1, 0, RetryPolicy.NONE).runsAlone(3)).isFalse();
        assertThat(job(2, 1, RetryPolicy.NONE).runsAlone(3)).isFalse();
        assertThat(job(3, 2, RetryPolicy.NONE).runsAlone(3)).isTrue();
        assertThat(job(1, 0, RetryPolicy.NONE).runsAlone(1)).isFalse();
        assertThat(job(4, new Losses(3, 1), RetryPolicy.NONE).runsAlone(3)).isFalse();

        assertThat(AttemptDecision.decide(job(3, 2, RetryPolicy.NONE), new AttemptResult.WorkerLost("w", true), 3, 0))
                .isEqualTo(new AttemptDecision.End(new Outcome.Failed(JobError.permanent(
                        "WorkerLost",
                        "The worker was lost 3 times while it ran this job, the last time \"w\", where it ran alone, so this job"
                                + " is the cause. Find out why, for example memory or a crash, then retry the run."))));
    }

    @Test
    void endsAfterTheLastRetryAndOnPermanentErrors() {
        RetryPolicy retry = new RetryPolicy(1, Duration.ZERO, 1, Duration.ZERO, 0);

        assertThat(AttemptDecision.decide(job(2, 0, retry), new AttemptResult.Failed(TRANSIENT), 3, 0))
                .isEqualTo(new AttemptDecision.End(new Outcome.Failed(TRANSIENT)));
        JobError permanent = JobError.permanent("InputError", "m");
        assertThat(AttemptDecision.decide(job(1, 0, retry), new AttemptResult.Failed(permanent), 3, 0))
                .isEqualTo(new AttemptDecision.End(new Outcome.Failed(permanent)));
    }

    @Test
    void endsAfterATimeoutThatThePolicyDoesNotRetry() {
        RetryPolicy retry = new RetryPolicy(1, Duration.ZERO, 1, Duration.ZERO, 0);
        JobError timedOut = new JobError("TimedOut", "m", "", true);

        assertThat(AttemptDecision.decide(job(1, 0, retry), new AttemptResult.Failed(timedOut), 3, 0))
                .isInstanceOf(AttemptDecision.Requeue.class);
        assertThat(AttemptDecision.decide(
                        job(1, 0, retry.afterTimeout(false)), new AttemptResult.Failed(timedOut), 3, 0))
                .isEqualTo(new AttemptDecision.End(new Outcome.Failed(timedOut)));
        assertThat(AttemptDecision.decide(
                        job(1, 0, retry.afterTimeout(false)), new AttemptResult.Failed(TRANSIENT), 3, 0))
                .isInstanceOf(AttemptDecision.Requeue.class);
    }

    @Test
    void takesOnlyTheJitteredShareAtRandom() {
        RetryPolicy retry = new RetryPolicy(1, Duration.ofSeconds(10), 1, Duration.ofSeconds(10), 0.5);

        assertThat(retry.delayBefore(1, 0)).isEqualTo(Duration.ofSeconds(5));
        assertThat(retry.delayBefore(1, 1)).isEqualTo(Duration.ofSeconds(10));
    }

    @Test
    void addsARandomTimeToCappedWaitsThatAreNotSteady() {
        RetryPolicy retry = new RetryPolicy(
                List.of(
                        RetryPhase.constant(1, Duration.ofSeconds(20)),
                        RetryPhase.constant(1, Duration.ofSeconds(20)).steady(true)),
                Duration.ofSeconds(10),
                0,
                Duration.ofSeconds(5));

        assertThat(retry.delayBefore(1, 0)).isEqualTo(Duration.ofSeconds(10));
        assertThat(retry.delayBefore(1, 1)).isEqualTo(Duration.ofSeconds(15));
        assertThat(retry.delayBefore(2, 1)).isEqualTo(Duration.ofSeconds(10));
    }

    private static Duration delayAfter(int attempt, int losses, RetryPolicy retry) {
        return delayAfter(attempt, new Losses(losses, losses), retry);
    }

    private static Duration delayAfter(int attempt, Losses losses, RetryPolicy retry) {
        AttemptDecision decision =
                AttemptDecision.decide(job(attempt, losses, retry), new AttemptResult.Failed(TRANSIENT), 3, 0);
        return ((AttemptDecision.Requeue) decision).delay();
    }

    private static QueuedJob job(int attempt, int losses, RetryPolicy retry) {
        return job(attempt, new Losses(losses, losses), retry);
    }

    private static QueuedJob job(int attempt, Losses losses, RetryPolicy retry) {
        RunId run = IDS.nextRun();
        return new QueuedJob(
                run.rootJob(),
                run,
                Workspace.DEFAULT,
                JobKind.HANDLER,
                "h",
                "h",
                new JobOptions("t", 0, Duration.ofMinutes(1), retry),
                1,
                attempt,
                losses,
                "");
    }
}
