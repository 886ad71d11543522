package dev.millrace.scheduler.flow.dialect.fastflow;

import dev.millrace.scheduler.expression.CallText;
import dev.millrace.scheduler.expression.Computed;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Reads;
import dev.millrace.scheduler.expression.Scope;
import dev.millrace.scheduler.flow.dialect.fastflow.PreCheck.Act;
import dev.millrace.scheduler.flow.dialect.fastflow.PreCheck.Condition;
import dev.millrace.scheduler.flow.dialect.fastflow.PreCheck.Source;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Whether a step is skipped: because a step that it needs failed, or because of its checks. The first check whose
 * conditions are all met decides.
 *
 * @param needs steps that the step needs
 * @param checks in order of evaluation
 * @param act act of a deciding check that this expression tests for
 * @param met whether the step is skipped if a check with that act decides; false if it is skipped unless one does
 */
record Omission(List<String> needs, List<PreCheck> checks, Act act, boolean met, SharedData shared)
        implements Computed {
    Omission {
        needs = List.copyOf(needs);
        checks = List.copyOf(checks);
    }

    /** Whether nothing can skip the step. */
    boolean never() {
        return needs.isEmpty() && checks.isEmpty();
    }

    @Override
    public JsonValue evaluate(Scope scope) {
        boolean failed = !new FailedNeed(needs).evaluate(scope).isNull();
        return failed || decides(scope) == met ? JsonValue.TRUE : JsonValue.FALSE;
    }

    private boolean decides(Scope scope) {
        return checks.stream()
                .filter(check -> check.conditions().stream().allMatch(condition -> isMet(condition, scope)))
                .findFirst()
                .filter(check -> check.act() == act)
                .isPresent();
    }

    private boolean isMet(Condition condition, Scope scope) {
        Map<String, JsonValue> values =
                (condition.source() == Source.VARS ? scope.inputs() : shared.evaluate(scope)).members();
        return Optional.ofNullable(values.get(condition.key()))
                .filter(value -> condition.values().contains(text(value)) == condition.in())
                .isPresent();
    }

    private static String text(JsonValue value) {
        return value.kind() == JsonValue.Kind.STRING ? value.string() : value.toString();
    }

    @Override
    public Reads reads() {
        Set<String> steps = new HashSet<>(needs);
        boolean readsShared = checks.stream()
                .flatMap(check -> check.conditions().stream())
                .anyMatch(condition -> condition.source() == Source.SHARE_DATA);
        if (readsShared) {
            steps.addAll(shared.tasks());
        }
        return new Reads(steps, false);
    }

    @Override
    public Optional<String> text() {
        return new CallText(FastflowFunctions.FAMILY + ".left_out")
                .texts(needs)
                .texts(shared.tasks())
                .word(act)
                .flag(met)
                .value(PreCheckJson.write(checks))
                .write();
    }
}
