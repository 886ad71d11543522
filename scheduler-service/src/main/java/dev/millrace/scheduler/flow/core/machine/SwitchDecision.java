package dev.millrace.scheduler.flow.core.machine;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Resolution;
import dev.millrace.scheduler.flow.core.definition.StepAction;
import dev.millrace.scheduler.flow.core.graph.SwitchWork;
import java.util.List;
import java.util.Optional;

/** The branch that a switch takes. */
sealed interface SwitchDecision {
    /** The position of the branch. The number of cases stands for the default; empty if no branch is taken. */
    record Decided(Optional<Integer> branch) implements SwitchDecision {}

    /** A condition could not be computed. */
    record Undecided(Resolution.Unresolved why) implements SwitchDecision {}

    static SwitchDecision decide(SwitchWork choice, Bindings bindings) {
        Resolution value = choice.value().map(bindings::resolve).orElse(new Resolution.Resolved(JsonValue.NULL));
        return switch (value) {
            case Resolution.Unresolved unresolved -> new Undecided(unresolved);
            case Resolution.Resolved resolved -> decide(choice, resolved.value(), bindings);
        };
    }

    private static SwitchDecision decide(SwitchWork choice, JsonValue value, Bindings bindings) {
        List<SwitchWork.Branch> cases = choice.cases();
        for (int i = 0; i < cases.size(); i++) {
            Resolution matches = matches(cases.get(i).test(), value, bindings);
            if (matches instanceof Resolution.Unresolved unresolved) {
                return new Undecided(unresolved);
            }
            if (matches instanceof Resolution.Resolved answer && answer.value().isTruthy()) {
                return new Decided(Optional.of(i));
            }
        }
        return new Decided(choice.otherwise().map(_ -> cases.size()));
    }

    private static Resolution matches(StepAction.Test test, JsonValue value, Bindings bindings) {
        return switch (test) {
            case StepAction.Test.When when -> bindings.resolve(when.condition());
            case StepAction.Test.Equals equals ->
                switch (bindings.resolve(equals.expected())) {
                    case Resolution.Unresolved unresolved -> unresolved;
                    case Resolution.Resolved expected -> expected.value().compare(value);
                };
        };
    }
}
