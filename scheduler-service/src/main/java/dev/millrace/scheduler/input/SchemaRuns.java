package dev.millrace.scheduler.input;

import dev.millrace.scheduler.packages.AheadRuns;
import dev.millrace.scheduler.queue.core.JobOptions;
import dev.millrace.scheduler.queue.core.JobTarget;
import dev.millrace.scheduler.queue.core.Language;
import dev.millrace.scheduler.queue.core.RetryPolicy;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.RunStarter;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.text.script.ScriptLanguages;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Starts a run for a deployed script that reads its signature. It is an ordinary run of the script under a tag of its own:
 * workers read the script of such a job and do not call it. Nothing depends on the run: without it, inputs are checked by
 * the job alone.
 */
public final class SchemaRuns {
    /** Beginning of the tags of the runs; the language follows, whose signatures a worker that serves it reads. */
    private static final String TAG = "schema:";

    /** What a run is called is the path of its script with this behind it. */
    static final String NAME_END = " (schema)";

    /** A run that no worker has taken in this time is canceled. */
    static final Duration START_WITHIN = Duration.ofDays(1);

    /** Longest time of an attempt; the worker gives up earlier. */
    static final Duration TIMEOUT = Duration.ofMinutes(5);

    private static final RetryPolicy RETRY =
            new RetryPolicy(3, Duration.ofSeconds(5), 4, RetryPolicy.DELAY_MAX_DEFAULT, 0.2);

    /** A function that takes something. TypeScript in which it is not found has none, or its reader would not find it. */
    private static final Pattern MAIN = Pattern.compile("\\bmain\\b[^(\\n]{0,200}\\((?!\\s{0,100}\\))");

    private final AheadRuns runs;
    private final InputSchemas schemas;

    public SchemaRuns(AheadRuns runs, InputSchemas schemas) {
        this.runs = runs;
        this.schemas = schemas;
    }

    static String tag(Language language) {
        return TAG + language.name();
    }

    /**
     * Starts a run that reads the signature of a version, unless its schema is known, nobody can read it, or the run that
     * prepares its packages reads it, too. The run fails if Python cannot read the script at all, so each script in Python has one.
     *
     * @param path name of the script or of its flow, for people
     * @param file path of the script, whose ending tells whether it has types
     * @param content its source
     * @param starter who deploys it
     * @param preparing the run that prepares its packages, if there is one
     * @return the run that reads the signature; empty if none is needed, or if the queue takes none now
     */
    public Optional<RunId> start(
            Workspace workspace,
            String path,
            String file,
            JobTarget.Script script,
            String content,
            Optional<RunStarter> starter,
            Optional<RunId> preparing) {
        boolean isTypeScript = script.language().equals(Language.DENO) && ScriptLanguages.isTypeScript(file);
        boolean isReadable =
                isTypeScript ? MAIN.matcher(content).find() : script.language().equals(Language.PYTHON);
        if (!isReadable || schemas.find(workspace, script.hash()).isPresent()) {
            return Optional.empty();
        }
        if (isTypeScript && preparing.isPresent()) {
            return preparing;
        }
        JobOptions job = new JobOptions(tag(script.language()), 0, TIMEOUT, RETRY);
        return runs.start(workspace, path + NAME_END, script, job, START_WITHIN, starter);
    }
}
