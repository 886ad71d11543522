package dev.millrace.scheduler.flow.dialect.millrace;

import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.StepAction;
import dev.millrace.scheduler.flow.core.StepList;
import dev.millrace.scheduler.flow.dialect.Fields;
import dev.millrace.scheduler.flow.dialect.Paths;
import dev.millrace.scheduler.flow.dialect.SourceNode;
import dev.millrace.scheduler.flow.dialect.millrace.Drafts.ListDraft;
import dev.millrace.scheduler.flow.dialect.millrace.Drafts.Need;
import dev.millrace.scheduler.flow.dialect.millrace.Drafts.Reference;
import dev.millrace.scheduler.flow.dialect.millrace.Drafts.StepDraft;
import dev.millrace.scheduler.flow.dialect.millrace.Drafts.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads {@code switch}. */
final class Switches {
    private static final List<String> KEYS = List.of("value", "cases", "default");
    private static final List<String> CASE_KEYS = List.of("equals", "when", "steps", "output");
    private static final List<String> DEFAULT_KEYS = List.of("steps", "output");

    private final Reading reading;
    private final int nesting;
    private final List<Reference> references = new ArrayList<>();
    private final List<ListDraft> inner = new ArrayList<>();

    Switches(Reading reading, int nesting) {
        this.reading = reading;
        this.nesting = nesting;
    }

    StepDraft read(Fields step, String id, List<Need> needs) {
        Fields fields =
                Fields.of(reading.problems(), step.find("switch").orElseThrow(), step.path("switch"), "a switch", KEYS);
        Optional<Template> value = template(fields, "value");
        List<StepAction.Case> cases = cases(fields, value.isPresent());
        Optional<StepList> otherwise = fields.find("default")
                .map(node ->
                        Fields.of(reading.problems(), node, fields.path("default"), "the default branch", DEFAULT_KEYS))
                .map(this::branch);
        StepAction action = new StepAction.Switch(value, cases, otherwise);
        return new StepDraft(id, step.mark(), step.path(), needs, references, inner, action);
    }

    private List<StepAction.Case> cases(Fields fields, boolean hasValue) {
        Optional<SourceNode> node = fields.find("cases");
        List<StepAction.Case> cases = new ArrayList<>();
        if (node.isPresent() && node.get() instanceof SourceNode.Sequence sequence) {
            for (SourceNode item : sequence.items()) {
                String path = Paths.element(fields.path("cases"), cases.size());
                cases.add(branchCase(Fields.of(reading.problems(), item, path, "a case", CASE_KEYS), hasValue));
            }
        } else {
            reading.problem(
                    node.map(SourceNode::mark).orElse(fields.mark()),
                    fields.path("cases"),
                    "The switch has no list of cases.",
                    "Write cases: with a list, for example - {equals: fast, steps: […]}.");
        }
        return cases;
    }

    private StepAction.Case branchCase(Fields fields, boolean hasValue) {
        if (fields.has("equals") == fields.has("when")) {
            reading.problem(
                    fields.mark(),
                    fields.path(),
                    fields.has("equals") ? "The case has both equals and when." : "The case has no condition.",
                    "Give it exactly one of equals (compared with the value of the switch) and when (a condition).");
        }
        if (fields.has("equals") && !hasValue) {
            reading.problem(
                    fields.mark(),
                    fields.path("equals"),
                    "equals has nothing to compare with.",
                    "Add value to the switch, or use when.");
        }
        StepAction.Test test = template(fields, "equals")
                .<StepAction.Test>map(StepAction.Test.Equals::new)
                .orElseGet(
                        () -> new StepAction.Test.When(template(fields, "when").orElse(Template.Constant.NULL)));
        return new StepAction.Case(test, branch(fields));
    }

    private StepList branch(Fields fields) {
        ListDraft branch = new StepLists(reading).read(fields, false, nesting + 1);
        inner.add(branch);
        return branch.list();
    }

    private Optional<Template> template(Fields fields, String key) {
        Value value = Values.read(reading, fields, key);
        references.addAll(value.references());
        return value.template();
    }
}
