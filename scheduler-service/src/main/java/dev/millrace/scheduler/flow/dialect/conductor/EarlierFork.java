package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.expression.CallText;
import dev.millrace.scheduler.expression.Computed;
import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Reads;
import dev.millrace.scheduler.expression.Scope;
import java.util.List;
import java.util.Optional;

/**
 * Whether a dynamic fork of the workflow ran before the fork that evaluates this expression.
 *
 * @param loops number of loops around the evaluating fork: from the second iteration of any of them, that fork itself
 *     ran before
 * @param ran outputs of the other forks; null for a fork that did not run
 */
record EarlierFork(int loops, List<Expression> ran) implements Computed {
    static final EarlierFork NONE = new EarlierFork(0, List.of());

    EarlierFork {
        ran = List.copyOf(ran);
    }

    @Override
    public JsonValue evaluate(Scope scope) {
        for (int outward = 0; outward < loops; outward++) {
            if (scope.index(outward) > 0) {
                return JsonValue.TRUE;
            }
        }
        return ran.stream().anyMatch(output -> !output.evaluate(scope).isNull()) ? JsonValue.TRUE : JsonValue.FALSE;
    }

    @Override
    public Reads reads() {
        return ran.stream().map(Expression::reads).reduce(Reads.NOTHING, Reads::and);
    }

    @Override
    public Optional<String> text() {
        return new CallText(ConductorFunctions.FAMILY + ".earlier_fork")
                .number(loops)
                .expressions(ran)
                .write();
    }
}
