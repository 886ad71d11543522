package dev.millrace.scheduler.rpc;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.protobuf.ByteString;
import dev.millrace.scheduler.error.Violations;
import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.RunId;
import java.nio.charset.CharacterCodingException;
import java.util.Optional;
import java.util.regex.Pattern;

/** Validation of fields that several services share. */
public final class RequestFields {
    private static final String WORKSPACE_DEFAULT = "default";
    private static final Pattern WORKSPACE = Pattern.compile("[a-z0-9][a-z0-9_-]{0,63}");

    private RequestFields() {}

    /** The given workspace, or {@code default} if none is given. */
    public static String workspace(String given) {
        Violations violations = new Violations();
        String workspace = workspace(given, violations);
        violations.throwIfAny();
        return workspace;
    }

    public static String workspace(String given, Violations violations) {
        violations.require(
                given.isEmpty() || WORKSPACE.matcher(given).matches(),
                "workspace",
                "\"" + given + "\" (expected: 1 to 64 characters a-z, 0-9, '_' and '-')");
        return given.isEmpty() ? WORKSPACE_DEFAULT : given;
    }

    public static RunId runId(String given) {
        Violations violations = new Violations();
        Optional<RunId> id = violations.collect("run_id", () -> RunId.parse(given));
        violations.throwIfAny();
        return id.orElseThrow();
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
        try {
            String text =
                    UTF_8.newDecoder().decode(bytes.asReadOnlyByteBuffer()).toString();
            violations.require(text.indexOf('\0') < 0, field, "contains a NUL character: remove it");
            return Optional.of(text);
        } catch (CharacterCodingException notUtf8) {
            violations.add(field, "is not UTF-8: save it in that encoding");
            return Optional.empty();
        }
    }
}
