package dev.millrace.worker.internal.process;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.proto.log.v1.LogChunk;
import dev.millrace.proto.worker.v1.SlotGroup;
import dev.millrace.worker.JobContext;
import dev.millrace.worker.JobException;
import dev.millrace.worker.JobHandler;
import dev.millrace.worker.internal.session.LeasedJob;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A job that reads the signature of its script and does not call it. The scheduler starts it when the script is deployed;
 * its result is the JSON Schema of the inputs, which the scheduler keeps.
 */
public final class SchemaJob implements JobHandler {
    /** Beginning of the tags of these jobs; the language follows. */
    private static final String TAG = "schema:";

    private static final String GROUP = "schema:all";

    private static final ObjectMapper JSON = new ObjectMapper();

    private final LeasedJob job;
    private final ScriptStore scripts;
    private final ScriptPackages packages;
    private final SignatureReader signatures;

    SchemaJob(LeasedJob job, ScriptStore scripts, ScriptPackages packages, SignatureReader signatures) {
        this.job = job;
        this.scripts = scripts;
        this.packages = packages;
        this.signatures = signatures;
    }

    /** The slot for such jobs of these languages. Each takes the time of a start of the interpreter. */
    public static SlotGroup slots(List<String> languages) {
        return SlotGroup.newBuilder()
                .setName(GROUP)
                .addAllTags(languages.stream().map(language -> TAG + language).toList())
                .setSlots(1)
                .setPrefetch(1)
                .build();
    }

    /** Whether a job is one of these. */
    public static boolean is(LeasedJob job) {
        return job.lease().getSlotGroup().equals(GROUP);
    }

    @Override
    public JsonNode handle(JobContext context) {
        ScriptKey key = ScriptKey.of(job.lease());
        Supplier<Optional<LeasedJob>> lease = () -> Optional.of(job);
        try {
            Script script = packages.withInterpreter(scripts.load(key, lease));
            byte[] schema = signatures.read(script, line -> job.log(LogChunk.Stream.STREAM_SYSTEM, line));
            JsonNode parsed = JSON.readTree(schema);
            scripts.keepSchema(job, schema);
            return parsed;
        } catch (LoadException e) {
            throw failure(e.toJobError().getMessage(), e.toJobError().getRetryable());
        } catch (IOException e) {
            throw failure("The worker cannot read the signature of the script: " + e.getMessage() + ".", true);
        }
    }

    /** The stack of the worker's own code helps no author of a script. */
    private static JobException failure(String message, boolean isRetryable) {
        JobException failure = new JobException("SchemaError", message, isRetryable);
        failure.setStackTrace(new StackTraceElement[0]);
        return failure;
    }
}
