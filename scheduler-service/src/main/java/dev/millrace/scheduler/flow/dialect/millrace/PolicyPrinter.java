package dev.millrace.scheduler.flow.dialect.millrace;

import dev.millrace.scheduler.expression.Negated;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.definition.StepPolicy;
import dev.millrace.scheduler.flow.core.definition.StepPolicy.Extent;
import dev.millrace.scheduler.flow.core.definition.StepPolicy.OnFailure;
import dev.millrace.scheduler.flow.core.definition.StepPolicy.Skip;
import dev.millrace.scheduler.flow.core.definition.StepPolicy.Stop;
import dev.millrace.scheduler.queue.core.RetryPhase;
import dev.millrace.scheduler.queue.core.RetryPolicy;
import dev.millrace.text.Durations;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Writer of the policy of a step. */
final class PolicyPrinter {
    private final ValuePrinter values;

    PolicyPrinter(ValuePrinter values) {
        this.values = values;
    }

    void write(StepPolicy policy, Map<String, Object> step) {
        policy.beginIf().ifPresent(condition -> step.put("begin_if", values.value(condition)));
        policy.skip().ifPresent(skip -> skip(skip, step));
        if (policy.sameWorker()) {
            step.put(Policies.SAME_WORKER, true);
        }
        policy.mock().ifPresent(mock -> step.put("mock", values.value(mock)));
        policy.delay().ifPresent(delay -> step.put("delay", values.value(delay)));
        policy.timeout().ifPresent(timeout -> step.put("timeout", Durations.text(timeout)));
        retry(policy.retry(), step);
        policy.retryIf().ifPresent(condition -> step.put("retry_if", values.value(condition)));
        if (!policy.stops().isEmpty()) {
            step.put("stop", policy.stops().stream().map(this::stop).toList());
        }
        if (policy.onFailure() != OnFailure.FAIL) {
            step.put("on_failure", policy.onFailure().name().toLowerCase(Locale.ROOT));
        }
    }

    private void skip(Skip skip, Map<String, Object> step) {
        if (skip.when() instanceof Template.Whole whole && whole.expression() instanceof Negated negated) {
            step.put("if", values.value(negated.condition()));
        } else {
            step.put("skip_if", values.value(skip.when()));
        }
        if (!skip.result().equals(Template.Constant.NULL)) {
            step.put("skip_result", values.value(skip.result()));
        }
    }

    private Map<String, Object> stop(Stop stop) {
        Map<String, Object> written = new LinkedHashMap<>();
        written.put("when", values.value(stop.when()));
        stop.failure().ifPresent(message -> written.put("error", values.value(message)));
        if (stop.extent() != Extent.LIST) {
            written.put("ends", word(stop.extent()));
        }
        return written;
    }

    static String word(Extent extent) {
        return extent.name().toLowerCase(Locale.ROOT);
    }

    static void retry(RetryPolicy policy, Map<String, Object> step) {
        if (policy.equals(RetryPolicy.NONE)) {
            return;
        }
        Map<String, Object> retry = new LinkedHashMap<>();
        boolean simple = policy.phases().isEmpty()
                || (policy.phases().size() == 1 && isSimple(policy.phases().getFirst()));
        if (policy.phases().isEmpty()) {
            retry.put("max_retries", 0);
        } else if (simple) {
            RetryPhase phase = policy.phases().getFirst();
            retry.put("max_retries", phase.retries());
            retry.put("delay", Durations.text(phase.delay()));
            if (phase.shape() == RetryPhase.Shape.EXPONENTIAL) {
                retry.put("multiplier", phase.factor());
            }
        } else {
            List<Object> phases = new ArrayList<>();
            policy.phases().forEach(phase -> phases.add(phase(phase)));
            retry.put("phases", phases);
        }
        if (!policy.delayMax().equals(RetryPolicy.DELAY_MAX_DEFAULT)) {
            retry.put("max_delay", Durations.text(policy.delayMax()));
        }
        if (policy.jitter() > 0) {
            retry.put("jitter", policy.jitter());
        }
        if (policy.randomDelay().isPositive()) {
            retry.put(RetryFields.RANDOM_DELAY, Durations.text(policy.randomDelay()));
        }
        step.put("retry", retry);
    }

    private static boolean isSimple(RetryPhase phase) {
        return !phase.steady()
                && switch (phase.shape()) {
                    case CONSTANT -> phase.factor() == 1;
                    case EXPONENTIAL -> phase.factor() > 1;
                    case LINEAR, POWER -> false;
                };
    }

    private static Map<String, Object> phase(RetryPhase phase) {
        Map<String, Object> written = new LinkedHashMap<>();
        written.put("shape", phase.shape().name().toLowerCase(Locale.ROOT));
        written.put("max_retries", phase.retries());
        written.put("delay", Durations.text(phase.delay()));
        written.put("factor", phase.factor());
        if (phase.steady()) {
            written.put("steady", true);
        }
        return written;
    }
}
