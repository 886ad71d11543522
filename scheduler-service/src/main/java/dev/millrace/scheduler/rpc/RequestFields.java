package dev.millrace.scheduler.rpc;

import com.google.protobuf.ByteString;
import dev.millrace.scheduler.error.Violations;
import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.RunRef;
import dev.millrace.scheduler.queue.core.Workspace;
import java.util.Optional;

/** Validation of fields that several services share. */
public final class RequestFields {
    private RequestFields() {}

    /** The given workspace, or {@code default} if none is given. */
    public static Workspace workspace(String given) {
        Violations violations = new Violations();
        Workspace workspace = workspace(given, violations);
        violations.throwIfAny();
        return workspace;
    }

    /** The same; the default with a violation if the name breaks the rules. */
    public static Workspace workspace(String given, Violations violations) {
        return given.isEmpty()
                ? Workspace.DEFAULT
                : violations.collect("workspace", () -> Workspace.of(given)).orElse(Workspace.DEFAULT);
    }

    /** The run that a request names by its fields {@code workspace} and {@code run_id}. */
    public static RunRef run(String workspace, String id) {
        Violations violations = new Violations();
        Workspace owner = workspace(workspace, violations);
        Optional<RunId> run = violations.collect("run_id", () -> RunId.parse(id));
        violations.throwIfAny();
        return new RunRef(owner, run.orElseThrow());
    }

    /** The run of a request that proves by a token, and not by a workspace, that it may name the run. */
    public static RunId runOfToken(String id) {
        Violations violations = new Violations();
        Optional<RunId> run = violations.collect("run_id", () -> RunId.parse(id));
        violations.throwIfAny();
        return run.orElseThrow();
    }

    /** The given job; empty if none is given. */
    public static Optional<JobId> jobId(String given) {
        if (given.isEmpty()) {
            return Optional.empty();
        }
        Violations violations = new Violations();
        Optional<JobId> id = violations.collect("job_id", () -> JobId.parse(given));
        violations.throwIfAny();
        return id;
    }

    /**
     * Decodes a text: UTF-8 within a size, and without NUL, which Postgres cannot store. Empty, with a violation, if it
     * is invalid or too large.
     */
    public static Optional<String> text(String field, ByteString bytes, int bytesMax, Violations violations) {
        if (bytes.size() > bytesMax) {
            violations.add(field, bytes.size() + " bytes (expected: at most " + bytesMax + ")");
            return Optional.empty();
        }
        if (!bytes.isValidUtf8()) {
            violations.add(field, "is not UTF-8: save it in that encoding");
            return Optional.empty();
        }
        String text = bytes.toStringUtf8();
        violations.require(text.indexOf('\0') < 0, field, "contains a NUL character: remove it");
        return Optional.of(text);
    }
}
