package dev.millrace.scheduler.run;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.core.Json;
import java.util.Optional;

/** Input and result of a job, if they exist and were requested. */
public record Payloads(Optional<Json> input, Optional<Json> result) {
    public static final Payloads NONE = new Payloads(Optional.empty(), Optional.empty());

    public Payloads {
        requireNonNull(input, "input");
        requireNonNull(result, "result");
    }

    public long sizeBytes() {
        return length(input) + length(result);
    }

    private static long length(Optional<Json> json) {
        return json.map(document -> (long) document.text().length()).orElse(0L);
    }
}
