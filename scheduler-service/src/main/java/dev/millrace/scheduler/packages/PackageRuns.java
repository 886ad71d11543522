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
import dev.millrace.scheduler.queue.core.Language;
import dev.millrace.scheduler.queue.core.RetryPolicy;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.RunStarter;
import dev.millrace.scheduler.queue.core.Workspace;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts a run for a deployed script that chooses and installs its packages, so that the first real job does not have
 * to, and checks the types of TypeScript. It is an ordinary run of the script under a tag of its own: workers prepare the script of such a job and do not
 * call it. Nothing depends on the run: without it, the first job chooses.
 */
public final class PackageRuns {
    /** Beginning of the tags of the runs; the language follows, for which a worker that serves it installs packages. */
    private static final String TAG = "packages:";

    /** What a run is called is the path of its script with this behind it. */
    static final String NAME_END = " (packages)";

    /** A run that no worker has taken in this time is canceled. */
    static final Duration START_WITHIN = Duration.ofMinutes(10);

    /** Longest time of an attempt: packages may have to be compiled. */
    static final Duration TIMEOUT = Duration.ofMinutes(30);

    /** An index may be out of reach for a while. */
    private static final RetryPolicy RETRY =
            new RetryPolicy(3, Duration.ofSeconds(5), 4, RetryPolicy.DELAY_MAX_DEFAULT, 0.2);

    private static final Logger logger = LoggerFactory.getLogger(PackageRuns.class);

    private final Queue queue;
    private final IdSource ids;
    private final PackageLocks locks;

    public PackageRuns(Queue queue, IdSource ids, PackageLocks locks) {
        this.queue = queue;
        this.ids = ids;
        this.locks = locks;
    }

    static String tag(Language language) {
        return TAG + language.name();
    }

    /**
     * Starts a run that chooses the packages of a version and checks its types, unless it has no types, and needs no
     * packages or has chosen them already.
     *
     * @param path name of the script, for people
     * @param content its source
     * @param starter who deploys it; absent for callers without a token
     * @return the run; empty if none is needed, or if the queue takes none now
     */
    public Optional<RunId> start(
            Workspace workspace, String path, JobTarget.Script script, String content, Optional<RunStarter> starter) {
        boolean mayNeedPackages = PackageHints.mayNeedPackages(script.language(), content)
                && locks.list(workspace, script.hash()).isEmpty();
        if (!mayNeedPackages && !PackageHints.hasTypes(script.language(), path, content)) {
            return Optional.empty();
        }
        JobOptions job = new JobOptions(tag(script.language()), 0, TIMEOUT, RETRY);
        KeptOptions kept = new KeptOptions(Optional.empty(), Optional.empty(), Optional.of(START_WITHIN), starter);
        NewRun run = new NewRun(
                ids.nextRun(),
                new RunTarget.Job(script),
                path + NAME_END,
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
                    .log("Packages of a deployed script are not chosen ahead; its first job chooses them.");
            return Optional.empty();
        }
    }
}
