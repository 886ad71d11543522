package dev.millrace.client;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/**
 * A run to start.
 *
 * @param target what to run
 * @param input a record, a map or any other value that Jackson writes as a JSON object; null for none
 * @param options further wishes; a request id among them is ignored, as all runs of a call share one
 */
public record RunSpec(Target target, @Nullable Object input, RunOptions options) {
    public RunSpec {
        requireNonNull(target, "target");
        requireNonNull(options, "options");
    }

    /** Without further wishes. */
    public RunSpec(Target target, @Nullable Object input) {
        this(target, input, RunOptions.DEFAULT);
    }
}
