package dev.millrace.scheduler.flow.core.state;

import dev.millrace.scheduler.expression.JsonStrings;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.flow.core.graph.FlowModel;
import dev.millrace.scheduler.flow.core.graph.HandledFlow;
import dev.millrace.scheduler.flow.core.graph.KeyReader;
import dev.millrace.scheduler.flow.core.graph.KeyWalk;
import dev.millrace.scheduler.flow.core.graph.StepKey;
import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.Outcome;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The failed or canceled step that makes a list, a container or the run fail. If several steps fail, the first one in
 * the order of the flow counts, so that the result does not depend on timing.
 *
 * @param order position of the step in the flow
 */
public record Failure(StepKey key, JobError error, boolean canceled, List<Integer> order) {
    private static final String FAILED = "failed";
    private static final String CANCELED = "was canceled";
    /** Matches the messages of {@link #runError}. */
    private static final Pattern OF_STEP = Pattern.compile(
            "Step \"(?<key>[^\"]+)\" (?<end>" + FAILED + "|" + CANCELED + "): (?<message>.*)", Pattern.DOTALL);

    /** Returns the failure that an outcome stands for; empty if the outcome is a success or a skip. */
    public static Optional<Failure> of(FlowModel model, StepKey key, Outcome outcome) {
        return switch (outcome) {
            case Outcome.Succeeded succeeded -> Optional.empty();
            case Outcome.Skipped skipped -> Optional.empty();
            case Outcome.Failed failed ->
                Optional.of(
                        HandledFlow.holdsSteps(key)
                                ? inside(model, key, failed.error())
                                : new Failure(key, failed.error(), false, model.order(key)));
            case Outcome.Canceled canceled -> Optional.of(new Failure(key, canceled.reason(), true, model.order(key)));
        };
    }

    /**
     * Returns the failure of the inner step that the error of a container names; that of the container if the error
     * names none.
     */
    private static Failure inside(FlowModel model, StepKey container, JobError error) {
        Matcher told = OF_STEP.matcher(error.message());
        if (!told.matches() || !container.contains(new StepKey(told.group("key")))) {
            return new Failure(container, error, false, model.order(container));
        }
        StepKey key = new StepKey(told.group("key"));
        return new Failure(
                key, error.saying(told.group("message")), told.group("end").equals(CANCELED), model.order(key));
    }

    /** Returns the step that the error of a run names; empty if the run failed without one. */
    public static Optional<StepKey> stepOf(JobError runError) {
        Matcher told = OF_STEP.matcher(runError.message());
        return told.matches() ? Optional.of(new StepKey(told.group("key"))) : Optional.empty();
    }

    int compareTo(Failure other) {
        return KeyWalk.compare(order, other.order);
    }

    /** Returns the error of the run that fails because of this step. */
    public JobError runError() {
        String end = canceled ? CANCELED : FAILED;
        return error.saying("Step \"" + key + "\" " + end + ": " + error.message());
    }

    /** Returns the value of the failure that expressions can read. */
    public JsonValue value() {
        return JsonValue.of("{\"name\":" + JsonStrings.quote(error.name())
                + ",\"message\":" + JsonStrings.quote(error.message())
                + ",\"stack\":" + JsonStrings.quote(error.stack())
                + ",\"step_id\":" + JsonStrings.quote(KeyReader.lastId(key))
                + error.result().map(result -> ",\"result\":" + result.text()).orElse("") + "}");
    }

    /** Returns the result of a step whose failure is tolerated. */
    public JsonValue tolerated() {
        return JsonValue.of("{\"error\":" + value() + "}");
    }
}
