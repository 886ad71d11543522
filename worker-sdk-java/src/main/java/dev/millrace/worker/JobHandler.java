package dev.millrace.worker;

import org.jspecify.annotations.Nullable;

/** Runs the jobs of one handler name. Called from several threads at once. */
@FunctionalInterface
public interface JobHandler {
    /**
     * Runs one attempt.
     *
     * @return the result: {@code byte[]} holds JSON as it is; anything else, a {@code JsonNode} or a {@code String} too, is written as JSON by
     *     Jackson; null is the JSON null
     * @throws Exception to fail the attempt; a {@link JobException} names the error and says whether another attempt may help
     */
    @Nullable Object handle(JobContext context) throws Exception;
}
