package dev.millrace.scheduler.run.service;

import dev.millrace.scheduler.queue.NewRun;
import dev.millrace.scheduler.queue.RunTarget;
import dev.millrace.scheduler.queue.Submission;
import dev.millrace.scheduler.queue.core.JobKind;
import dev.millrace.scheduler.queue.core.JobTarget;
import dev.millrace.scheduler.run.Payloads;
import dev.millrace.scheduler.run.Run;
import dev.millrace.scheduler.run.RunState;
import dev.millrace.scheduler.run.Times;
import java.time.Instant;
import java.util.Optional;

/** Builds a run as it is right after its acceptance, without reading the database. */
final class AcceptedRun {
    private static final int UUID_MILLIS_SHIFT = 16;

    private AcceptedRun() {}

    static Run of(Submission submission) {
        NewRun run = submission.runs().getFirst();
        Instant accepted = Instant.ofEpochMilli(run.id().value().getMostSignificantBits() >>> UUID_MILLIS_SHIFT);
        return new Run(
                run.id(),
                submission.workspace(),
                kind(run.target()),
                target(run.target()),
                run.name(),
                RunState.QUEUED,
                false,
                "",
                Optional.empty(),
                new Payloads(Optional.of(run.input()), Optional.empty()),
                Optional.empty(),
                Times.created(accepted),
                false,
                run.kept());
    }

    private static JobKind kind(RunTarget target) {
        return switch (target) {
            case RunTarget.Job job -> JobKind.of(job.job());
            case RunTarget.FlowRun _ -> JobKind.FLOW;
        };
    }

    private static String target(RunTarget target) {
        return switch (target) {
            case RunTarget.Job(JobTarget.Script script) -> script.hash();
            case RunTarget.Job(JobTarget.Handler handler) -> handler.name();
            case RunTarget.FlowRun flow -> flow.flowHash();
        };
    }
}
