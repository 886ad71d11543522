package dev.millrace.scheduler.flow.dialect.openflow;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.definition.StepPolicy;
import dev.millrace.scheduler.flow.core.definition.StepPolicy.OnFailure;
import dev.millrace.scheduler.flow.dialect.Fields;
import dev.millrace.scheduler.queue.core.RetryPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Reader of the policy of a module, which does not depend on its action. */
final class Policies {
    static final String CONTINUE = "continue_on_error";
    private static final List<String> MOCK_KEYS = List.of("enabled", "return_value");

    private final Reading reading;
    private final Expressions expressions;
    private final Fields module;
    private final Actions.Kind kind;

    Policies(Reading reading, Expressions expressions, Fields module, Actions.Kind kind) {
        this.reading = reading;
        this.expressions = expressions;
        this.module = module;
        this.kind = kind;
    }

    /**
     * Reads the policy.
     *
     * @param delay how long the previous module asks to sleep
     */
    StepPolicy read(Optional<Template> delay) {
        refuseUnsupported();
        Retries retries = new Retries(reading, module);
        return StepPolicy.NONE
                .change()
                .skip(skip())
                .mock(mock())
                .delay(delay)
                .timeout(kind.isTask() ? Optional.empty() : timeout())
                .retry(kind.isTask() ? RetryPolicy.NONE : retries.read())
                .retryIf(retries.condition(expressions))
                .stops(stops())
                .onFailure(module.bool(CONTINUE).orElse(false) ? OnFailure.CONTINUE : OnFailure.FAIL)
                .build();
    }

    private void refuseUnsupported() {
        if (!kind.isTask()) {
            new Erasures(reading, module).refuse();
            module.refuse(
                    List.of("cache_ttl"),
                    "applies only to modules that run a script.",
                    "Give it to the modules inside, or to the whole flow.");
            module.refuse(
                    List.of("priority"),
                    "applies only to modules that run a script.",
                    "Give it to the modules inside, or to the whole flow.");
        }
    }

    private Optional<Duration> timeout() {
        return new Timeouts(reading, expressions, module).constant();
    }

    /** Condition on which the module is skipped. Its result is then that of the previous step. */
    private Optional<StepPolicy.Skip> skip() {
        return expressions
                .condition(module, "skip_if", expressions.before())
                .map(when -> new StepPolicy.Skip(
                        when, new Template.Whole(expressions.sight().previous())));
    }

    private Optional<Template> mock() {
        return module.find("mock").flatMap(node -> {
            Fields mock = reading.fields(node, module.path("mock"), "a mock", MOCK_KEYS);
            Template value = new Template.Constant(mock.find("return_value")
                    .map(found -> new Constants(reading).read(found, mock.path("return_value")))
                    .orElse(JsonValue.NULL));
            return mock.bool("enabled").orElse(false) ? Optional.of(value) : Optional.empty();
        });
    }

    private List<StepPolicy.Stop> stops() {
        Stops stops = new Stops(reading, expressions);
        boolean isFan = kind.isLoop() || kind == Actions.Kind.BRANCHALL;
        if (!isFan) {
            module.refuse(
                    List.of("stop_after_all_iters_if"),
                    "applies only to loops and to a branchall.",
                    "Use stop_after_if, which looks at the result of the module.");
        }
        if (kind == Actions.Kind.BRANCHALL) {
            module.ignore(
                    List.of("stop_after_if"),
                    "has no effect on a branchall, as in Windmill.",
                    "Give it to an identity after the branchall, or to a module inside a branch.");
        }
        return stops.find(module, isFan ? "stop_after_all_iters_if" : "stop_after_if").stream()
                .toList();
    }
}
