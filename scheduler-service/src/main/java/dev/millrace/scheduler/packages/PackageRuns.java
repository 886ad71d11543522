package dev.millrace.scheduler.packages;

import dev.millrace.scheduler.queue.core.JobOptions;
import dev.millrace.scheduler.queue.core.JobTarget;
import dev.millrace.scheduler.queue.core.Language;
import dev.millrace.scheduler.queue.core.RetryPolicy;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.RunStarter;
import dev.millrace.scheduler.queue.core.Workspace;
import java.time.Duration;
import java.util.Optional;

/**
 * Starts a run for a deployed script that chooses and installs its packages, so that the first real job does not have
 * to, and checks the types of TypeScript. It is an ordinary run of the script under a tag of its own: workers prepare the script of such a job and do not
 * call it. Nothing depends on the run: without it, the first job chooses.
 */
public final class PackageRuns {
    /** Beginning of the tags of the runs; the language follows, for which a worker that serves it installs packages. */
    private static final String TAG = "packages:";

    /** What a run is called is the path of its script, or of its flow, with this behind it. */
    static final String NAME_END = " (packages)";

    /** The end of the name if there are no packages. */
    static final String TYPES_NAME_END = " (types)";

    /** A run that no worker has taken in this time is canceled. */
    static final Duration START_WITHIN = Duration.ofMinutes(10);

    /** Longest time of an attempt: packages may have to be compiled. */
    static final Duration TIMEOUT = Duration.ofMinutes(30);

    /** An index may be out of reach for a while. */
    private static final RetryPolicy RETRY =
            new RetryPolicy(3, Duration.ofSeconds(5), 4, RetryPolicy.DELAY_MAX_DEFAULT, 0.2);

    private final AheadRuns runs;
    private final PackageLocks locks;

    public PackageRuns(AheadRuns runs, PackageLocks locks) {
        this.runs = runs;
        this.locks = locks;
    }

    static String tag(Language language) {
        return TAG + language.name();
    }

    /**
     * Starts a run that chooses the packages of a version and checks its types, unless it has no types, and needs no
     * packages or has chosen them already.
     *
     * @param name path of what is deployed, for people
     * @param path of the script, whose ending tells whether it has types
     * @param content its source
     * @param starter who deploys it; absent for callers without a token
     * @return the run; empty if none is needed, or if the queue takes none now
     */
    public Optional<RunId> start(
            Workspace workspace,
            String name,
            String path,
            JobTarget.Script script,
            String content,
            Optional<RunStarter> starter) {
        boolean mayNeedPackages = PackageHints.mayNeedPackages(script.language(), content)
                && locks.list(workspace, script.hash()).isEmpty();
        if (!mayNeedPackages && !PackageHints.hasTypes(script.language(), path, content)) {
            return Optional.empty();
        }
        JobOptions job = new JobOptions(tag(script.language()), 0, TIMEOUT, RETRY);
        String end = mayNeedPackages ? NAME_END : TYPES_NAME_END;
        return runs.start(workspace, name + end, script, job, START_WITHIN, starter);
    }
}
