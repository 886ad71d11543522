package dev.millrace.scheduler.script;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.core.JobTarget;
import dev.millrace.scheduler.queue.core.Language;
import java.time.Instant;

/**
 * One immutable version of a script.
 *
 * @param hash content address, see {@link ScriptHash}
 * @param path by which it was found; where that was its hash, the one under which it was stored last, empty where it never had one
 * @param content source text; empty in lists
 */
public record Script(String hash, String path, String workspace, Language language, String content, Instant createdAt) {
    public Script {
        requireNonNull(hash, "hash");
        requireNonNull(path, "path");
        requireNonNull(workspace, "workspace");
        requireNonNull(language, "language");
        requireNonNull(content, "content");
        requireNonNull(createdAt, "createdAt");
    }

    Script withoutContent() {
        return new Script(hash, path, workspace, language, "", createdAt);
    }

    /** This version as the target of a job. */
    public JobTarget.Script target() {
        return new JobTarget.Script(hash, language);
    }
}
