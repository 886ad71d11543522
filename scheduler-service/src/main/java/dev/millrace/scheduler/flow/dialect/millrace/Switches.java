package dev.millrace.scheduler.flow.dialect.millrace;

import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.definition.StepAction;
import dev.millrace.scheduler.flow.core.definition.StepList;
import dev.millrace.scheduler.flow.dialect.Fields;
import dev.millrace.scheduler.flow.dialect.Paths;
import dev.millrace.scheduler.flow.dialect.SourceNode;
import dev.millrace.scheduler.flow.dialect.millrace.Drafts.ListKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reader of {@code switch} and of blocks. A block is a switch without cases, whose steps always run. */
final class Switches {
    private static final List<String> KEYS = List.of("value", "cases", "default");
    private static final List<String> CASE_KEYS = List.of("equals", "when", "steps", "output");
    private static final List<String> DEFAULT_KEYS = List.of("steps", "output");

    private final StepParts parts;

    Switches(StepParts parts) {
        this.parts = parts;
    }

    StepAction.Switch read(Fields step) {
        Fields fields = parts.object(step, "switch", "a switch", KEYS);
        Optional<Template> value = parts.template(fields, "value");
        List<StepAction.Case> cases = cases(fields, value.isPresent());
        Optional<StepList> otherwise = fields.has("default")
                ? Optional.of(
                        parts.list(parts.object(fields, "default", "the default branch", DEFAULT_KEYS), ListKind.PLAIN))
                : Optional.empty();
        return new StepAction.Switch(value, cases, otherwise);
    }

    /** Reads a block of steps, which has one result. */
    StepAction.Switch block(Fields step) {
        return new StepAction.Switch(Optional.empty(), List.of(), Optional.of(parts.list(step, ListKind.PLAIN)));
    }

    private List<StepAction.Case> cases(Fields fields, boolean hasValue) {
        Optional<SourceNode> node = fields.find("cases");
        List<StepAction.Case> cases = new ArrayList<>();
        if (node.isPresent() && node.get() instanceof SourceNode.Sequence sequence) {
            for (SourceNode item : sequence.items()) {
                String path = Paths.element(fields.path("cases"), cases.size());
                cases.add(branchCase(Fields.of(parts.reading().problems(), item, path, "a case", CASE_KEYS), hasValue));
            }
        } else {
            parts.reading()
                    .problem(
                            node.map(SourceNode::mark).orElse(fields.mark()),
                            fields.path("cases"),
                            "The switch has no list of cases.",
                            "Write cases: with a list, for example - {equals: fast, steps: […]}.");
        }
        return cases;
    }

    private StepAction.Case branchCase(Fields fields, boolean hasValue) {
        if (fields.has("equals") == fields.has("when")) {
            parts.reading()
                    .problem(
                            fields.mark(),
                            fields.path(),
                            fields.has("equals") ? "The case has both equals and when." : "The case has no condition.",
                            "Give it exactly one of equals (compared with the value of the switch) and when (a condition).");
        }
        if (fields.has("equals") && !hasValue) {
            parts.reading()
                    .problem(
                            fields.mark(),
                            fields.path("equals"),
                            "equals has nothing to compare with.",
                            "Add value to the switch, or use when.");
        }
        StepAction.Test test = parts.template(fields, "equals")
                .<StepAction.Test>map(StepAction.Test.Equals::new)
                .orElseGet(() ->
                        new StepAction.Test.When(parts.template(fields, "when").orElse(Template.Constant.NULL)));
        return new StepAction.Case(test, parts.list(fields, ListKind.PLAIN));
    }
}
