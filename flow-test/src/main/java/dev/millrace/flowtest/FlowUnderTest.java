package dev.millrace.flowtest;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.flow.core.graph.FlowModel;
import dev.millrace.scheduler.flow.core.graph.RunInput;
import dev.millrace.scheduler.flow.core.graph.StepKey;
import java.util.NoSuchElementException;

/**
 * A compiled flow with the flows inside it.
 *
 * @param path under which other flows name it
 * @param inputs checks the inputs of its runs
 */
public record FlowUnderTest(String path, FlowModel model, RunInput.Check inputs) {
    public FlowUnderTest {
        requireNonNull(path, "path");
        requireNonNull(model, "model");
        requireNonNull(inputs, "inputs");
    }

    /** Returns whether a run can have a step with this key. */
    public boolean hasStep(String key) {
        try {
            return !model.walk(new StepKey(key)).order().isEmpty();
        } catch (IllegalArgumentException | NoSuchElementException unknown) {
            return false;
        }
    }
}
