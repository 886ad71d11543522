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
 * The step something fails with. Where several steps failed, it is the one that comes first in the flow, so that it does not depend on
 * who was quicker.
 *
 * @param order where the step stands in the flow
 */
public record Failure(StepKey key, JobError error, boolean canceled, List<Integer> order) {
    private static final String FAILED = "failed";
    private static final String CANCELED = "was canceled";
    /** A message of {@link #runError}. */
    private static final Pattern OF_STEP = Pattern.compile(
            "Step \"(?<key>[^\"]+)\" (?<end>" + FAILED + "|" + CANCELED + "): (?<message>.*)", Pattern.DOTALL);

    /** The failure that an outcome is; empty where it is none. */
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

    /** The failure of the step inside that the error of a container tells of; the container's own where it tells of none. */
    private static Failure inside(FlowModel model, StepKey container, JobError error) {
        Matcher told = OF_STEP.matcher(error.message());
        if (!told.matches() || !container.contains(new StepKey(told.group("key")))) {
            return new Failure(container, error, false, model.order(container));
        }
        StepKey key = new StepKey(told.group("key"));
        return new Failure(
                key, error.saying(told.group("message")), told.group("end").equals(CANCELED), model.order(key));
    }

    /** The step that the error of a whole run tells of. */
    public static Optional<StepKey> stepOf(JobError runError) {
        Matcher told = OF_STEP.matcher(runError.message());
        return told.matches() ? Optional.of(new StepKey(told.group("key"))) : Optional.empty();
    }

    int compareTo(Failure other) {
        return KeyWalk.compare(order, other.order);
    }

    /** The error of the whole run. */
    public JobError runError() {
        String end = canceled ? CANCELED : FAILED;
        return error.saying("Step \"" + key + "\" " + end + ": " + error.message());
    }

    /** What expressions see of it. */
    public JsonValue value() {
        return JsonValue.of("{\"name\":" + JsonStrings.quote(error.name())
                + ",\"message\":" + JsonStrings.quote(error.message())
                + ",\"stack\":" + JsonStrings.quote(error.stack())
                + ",\"step_id\":" + JsonStrings.quote(KeyReader.lastId(key))
                + error.result().map(result -> ",\"result\":" + result.text()).orElse("") + "}");
    }

    /** What a failure leaves as a result where it is tolerated. */
    public JsonValue tolerated() {
        return JsonValue.of("{\"error\":" + value() + "}");
    }
}
