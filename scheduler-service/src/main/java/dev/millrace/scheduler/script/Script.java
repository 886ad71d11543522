package dev.millrace.scheduler.script;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.core.JobTarget;
import dev.millrace.scheduler.queue.core.Language;
import dev.millrace.scheduler.queue.core.Workspace;
import java.time.Instant;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One immutable version of a script.
 *
 * @param hash content address, see {@link ScriptHash}
 * @param path the path by which the version was found; if it was found by its hash, the path under which it was stored
 *     last, or empty if it never had one
 * @param content source text; empty in lists
 * @param files texts of the files that the version has besides its own, by their paths; empty in lists
 */
public record Script(
        String hash,
        String path,
        Workspace workspace,
        Language language,
        String content,
        SortedMap<String, String> files,
        Instant createdAt) {
    public Script {
        requireNonNull(hash, "hash");
        requireNonNull(path, "path");
        requireNonNull(workspace, "workspace");
        requireNonNull(language, "language");
        requireNonNull(content, "content");
        files = Collections.unmodifiableSortedMap(files);
        requireNonNull(createdAt, "createdAt");
    }

    Script withoutContent() {
        return new Script(hash, path, workspace, language, "", new TreeMap<>(), createdAt);
    }

    /** Number of characters of the content and of all files. */
    int chars() {
        return content.length()
                + files.values().stream().mapToInt(String::length).sum();
    }

    Script withFiles(SortedMap<String, String> added) {
        return new Script(hash, path, workspace, language, content, added, createdAt);
    }

    /** This version as the target of a job. */
    public JobTarget.Script target() {
        return new JobTarget.Script(hash, language);
    }
}
