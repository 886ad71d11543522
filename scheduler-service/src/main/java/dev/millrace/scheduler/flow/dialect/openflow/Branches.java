package dev.millrace.scheduler.flow.dialect.openflow;

import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.ExpressionReading;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.expression.javascript.JavaScript;
import dev.millrace.scheduler.flow.core.definition.FlowLimits;
import dev.millrace.scheduler.flow.core.definition.StepAction;
import dev.millrace.scheduler.flow.core.definition.StepList;
import dev.millrace.scheduler.flow.dialect.Fields;
import dev.millrace.scheduler.flow.dialect.Paths;
import dev.millrace.scheduler.flow.dialect.SourceNode;
import dev.millrace.scheduler.flow.dialect.openflow.Sight.Beside;
import dev.millrace.scheduler.flow.dialect.openflow.StepIndex.StepsAt;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Reader of {@code branchone} and {@code branchall} modules. */
final class Branches {
    private static final List<String> ONE_KEYS = List.of("type", "branches", "default");
    private static final List<String> ALL_KEYS = List.of("type", "branches", "parallel");
    /** Keys of a branch. Windmill writes the same keys for both kinds; {@code parallel} has no effect in either. */
    private static final List<String> BRANCH_KEYS = List.of("summary", "expr", "modules", "skip_failure", "parallel");

    private final Reading reading;
    private final int nesting;
    private final Expressions expressions;

    Branches(Reading reading, int nesting, Expressions expressions) {
        this.reading = reading;
        this.nesting = nesting;
        this.expressions = expressions;
    }

    StepAction one(SourceNode value, String path) {
        Fields fields = reading.fields(value, path, "a branchone", ONE_KEYS);
        List<StepAction.Case> cases = new ArrayList<>();
        Beside beside = expressions.sight().beside();
        eachBranch(fields, branch -> {
            Template condition =
                    expressions.required(branch, expressions.before()).orElse(Template.Constant.NULL);
            cases.add(new StepAction.Case(new StepAction.Test.When(condition), steps(branch, "modules", beside)));
        });
        return new StepAction.Switch(Optional.empty(), cases, Optional.of(steps(fields, "default", beside)));
    }

    StepAction all(SourceNode value, String path) {
        Fields fields = reading.fields(value, path, "a branchall", ALL_KEYS);
        List<StepAction.Branch> branches = new ArrayList<>();
        boolean parallel = fields.bool("parallel").orElse(true);
        eachBranch(
                fields,
                branch -> branches.add(new StepAction.Branch(
                        "",
                        orInput(steps(branch, "modules", parallel ? Beside.OTHERS : Beside.BRANCHES_IN_TURN)),
                        branch.bool("skip_failure").orElse(false))));
        if (branches.isEmpty()) {
            return new StepAction.Compute(new Template.Constant(JsonValue.EMPTY_ARRAY));
        }
        return parallel
                ? new StepAction.Parallel(branches, Math.min(branches.size(), FlowLimits.PARALLELISM_MAX))
                : new StepAction.Parallel(
                        branches, 1, Optional.of(expressions.sight().beside().extent()));
    }

    /** The modules of a branch of a {@code branchall}, which results in the flow's input if it has none. */
    private StepList orInput(StepList branch) {
        return branch.steps().isEmpty()
                        && JavaScript.read("flow_input", expressions.before())
                                instanceof ExpressionReading.Read(Expression input)
                ? new StepList(List.of(), Optional.of(new Template.Whole(input)))
                : branch;
    }

    private void eachBranch(Fields fields, Consumer<Fields> consumer) {
        Optional<SourceNode> node = fields.find("branches");
        if (node.isPresent() && node.get() instanceof SourceNode.Sequence sequence) {
            for (int i = 0; i < sequence.items().size(); i++) {
                String path = Paths.element(fields.path("branches"), i);
                consumer.accept(reading.fields(sequence.items().get(i), path, "a branch", BRANCH_KEYS));
            }
        } else {
            reading.problem(
                    node.map(SourceNode::mark).orElse(fields.mark()),
                    fields.path("branches"),
                    "There is no list of branches here.",
                    "Write branches with a list; each has modules.");
        }
    }

    private StepList steps(Fields owner, String key, Beside beside) {
        StepsAt list = StepsAt.inside(expressions.sight().place());
        return new Modules(reading, nesting + 1)
                .read(owner, key, expressions.sight().inside(list, beside));
    }
}
