package dev.millrace.worker.internal.process;

import dev.millrace.proto.log.v1.LogChunk;
import dev.millrace.proto.worker.v1.SlotGroup;
import dev.millrace.worker.JobContext;
import dev.millrace.worker.JobException;
import dev.millrace.worker.JobHandler;
import dev.millrace.worker.internal.packages.PreparedPackages;
import dev.millrace.worker.internal.session.LeasedJob;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * A job that chooses and installs the packages of its script, checks its types and does not call it. Of TypeScript, it
 * reads the signature, too. The scheduler starts it when the script is deployed; its result are the versions by the names
 * of the packages.
 */
public final class PackageJob implements JobHandler {
    /** Beginning of the tags of these jobs; the language follows. */
    private static final String TAG = "packages:";

    private static final String GROUP = "packages:all";

    /** One job may wait for an index while another one compiles. */
    private static final int SLOTS = 2;

    private final LeasedJob job;
    private final ScriptStore scripts;
    private final ScriptPackages packages;
    private final SignatureReader signatures;

    PackageJob(LeasedJob job, ScriptStore scripts, ScriptPackages packages, SignatureReader signatures) {
        this.job = job;
        this.scripts = scripts;
        this.packages = packages;
        this.signatures = signatures;
    }

    /** The slots for such jobs of these languages. */
    public static SlotGroup slots(List<String> languages) {
        return SlotGroup.newBuilder()
                .setName(GROUP)
                .addAllTags(languages.stream().map(language -> TAG + language).toList())
                .setSlots(SLOTS)
                .build();
    }

    /** Whether a job is one of these. */
    public static boolean is(LeasedJob job) {
        return job.lease().getSlotGroup().equals(GROUP);
    }

    @Override
    public Map<String, String> handle(JobContext context) {
        ScriptKey key = ScriptKey.of(job.lease());
        Supplier<Optional<LeasedJob>> lease = () -> Optional.of(job);
        try {
            Script script = scripts.load(key, lease);
            keepSchema(script);
            // The folder of this worker may have served another scheduler, which knows other versions.
            packages.forget(key, script);
            Script ready = packages.prepare(key, script, scripts.locks(lease), this::log);
            try (PreparedPackages prepared = ready.packages()) {
                packages.checkTypes(key, ready);
                return new TreeMap<>(prepared.versions());
            }
        } catch (LoadException e) {
            throw withoutStack(new JobException(
                    e.toJobError().getName(),
                    e.toJobError().getMessage(),
                    e.toJobError().getRetryable()));
        }
    }

    /** The packages do not depend on the schema, nor the schema on them. */
    private void keepSchema(Script script) {
        if (!DenoCheck.isFor(script)) {
            return;
        }
        try {
            scripts.keepSchema(job, signatures.read(script, this::log));
        } catch (LoadException | IOException e) {
            log("The scheduler has no schema of the script, so inputs are checked by its jobs alone: " + e.getMessage()
                    + "\n");
        }
    }

    private void log(String line) {
        job.log(LogChunk.Stream.STREAM_SYSTEM, line);
    }

    /** The stack of the worker's own code helps no author of a script. */
    private static JobException withoutStack(JobException failure) {
        failure.setStackTrace(new StackTraceElement[0]);
        return failure;
    }
}
