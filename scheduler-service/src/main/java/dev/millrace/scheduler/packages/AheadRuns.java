package dev.millrace.scheduler.packages;

import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.queue.KeptOptions;
import dev.millrace.scheduler.queue.NewRun;
import dev.millrace.scheduler.queue.Queue;
import dev.millrace.scheduler.queue.QueueAnswers;
import dev.millrace.scheduler.queue.RunOptions;
import dev.millrace.scheduler.queue.RunTarget;
import dev.millrace.scheduler.queue.Submission;
import dev.millrace.scheduler.queue.SubmitResult;
import dev.millrace.scheduler.queue.core.IdSource;
import dev.millrace.scheduler.queue.core.JobOptions;
import dev.millrace.scheduler.queue.core.JobTarget;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.RunStarter;
import dev.millrace.scheduler.queue.core.Workspace;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts runs in which workers do something with a deployed script ahead of its first job. Nothing depends on such a run.
 */
public final class AheadRuns {
    private static final Logger logger = LoggerFactory.getLogger(AheadRuns.class);

    private final Queue queue;
    private final IdSource ids;

    public AheadRuns(Queue queue, IdSource ids) {
        this.queue = queue;
        this.ids = ids;
    }

    /**
     * Starts a run with an empty input.
     *
     * @param name of the run, for people; lists tell these runs by its end, see {@link dev.millrace.scheduler.run.search.KindOfRun}
     * @param startWithin time after which the run is canceled if no worker has taken it
     * @param starter who deploys the script
     * @return the run; empty if the queue takes none now
     */
    public Optional<RunId> start(
            Workspace workspace,
            String name,
            JobTarget.Script script,
            JobOptions job,
            Duration startWithin,
            Optional<RunStarter> starter) {
        KeptOptions kept = new KeptOptions(Optional.empty(), Optional.empty(), Optional.of(startWithin), starter);
        NewRun run = new NewRun(
                ids.nextRun(),
                new RunTarget.Job(script),
                name,
                Json.EMPTY_OBJECT,
                new RunOptions(job, Optional.empty(), "", kept));
        return submit(new Submission(workspace, Optional.empty(), List.of(run)));
    }

    /** The script is deployed, whatever becomes of the run. */
    private Optional<RunId> submit(Submission submission) {
        try {
            return switch (QueueAnswers.await(queue.submit(submission))) {
                case SubmitResult.Accepted(List<RunId> runs) -> Optional.of(runs.getFirst());
                case SubmitResult.Duplicate _, SubmitResult.Conflict _, SubmitResult.Outdated _, SubmitResult.Busy _ ->
                    Optional.empty();
            };
        } catch (MillraceException unavailable) {
            logger.atInfo()
                    .setCause(unavailable)
                    .log("A deployed script is not prepared ahead; its first job does what it needs.");
            return Optional.empty();
        }
    }
}
