package dev.millrace.client;

import static java.util.Objects.requireNonNull;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a new run is that begins at a step of an old one, with the results before it.
 *
 * @param step key of the step at which the new run begins
 * @param input input of the new run, which becomes a JSON object; null takes that of the old run
 * @param flowHash version of the flow that the new run executes, deployed or stored before; empty for that of the old run
 * @param stepInput input of the step, in place of the one that the flow computes; null for none
 */
public record Rerun(
        String step,
        @Nullable Object input,
        Optional<String> flowHash,
        @Nullable Object stepInput) {
    public Rerun {
        requireNonNull(step, "step");
        requireNonNull(flowHash, "flowHash");
    }

    /** Begins at this step, with the input and the version of the old run. */
    public static Rerun from(String step) {
        return new Rerun(step, null, Optional.empty(), null);
    }

    public Rerun withInput(Object value) {
        return new Rerun(step, value, flowHash, stepInput);
    }

    public Rerun withFlowHash(String hash) {
        return new Rerun(step, input, Optional.of(hash), stepInput);
    }

    public Rerun withStepInput(Object value) {
        return new Rerun(step, input, flowHash, value);
    }
}
