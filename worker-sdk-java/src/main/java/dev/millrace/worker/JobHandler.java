package dev.millrace.worker;

import org.jspecify.annotations.Nullable;

/** Handler of the jobs of one name. Several threads call it at the same time. */
@FunctionalInterface
public interface JobHandler {
    /**
     * Runs one attempt.
     *
     * @return the result: {@code byte[]} must hold JSON and is sent unchanged. Jackson writes any other value as JSON,
     *     including {@code JsonNode} and {@code String}; null is the JSON null
     * @throws Exception if the attempt fails; a {@link JobException} names the error and tells whether another attempt
     *     may succeed
     */
    @Nullable Object handle(JobContext context) throws Exception;
}
