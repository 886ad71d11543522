package dev.millrace.scheduler.flow.dialect.millrace;

import dev.millrace.scheduler.flow.core.definition.FlowLimits;
import dev.millrace.scheduler.flow.core.definition.StepAction;
import dev.millrace.scheduler.flow.core.definition.StepAction.Branch;
import dev.millrace.scheduler.flow.dialect.Fields;
import dev.millrace.scheduler.flow.dialect.Paths;
import dev.millrace.scheduler.flow.dialect.SourceNode;
import dev.millrace.scheduler.flow.dialect.millrace.Drafts.ListKind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reader of {@code parallel}. */
final class Parallels {
    /** Key with the extent of what ends around the step when a branch stops early. */
    static final String STOPPED = "stopped";

    private static final List<String> KEYS = List.of("branches", "parallelism", STOPPED);
    private static final List<String> BRANCH_KEYS = List.of("name", "skip_failure", "steps", "output");

    private final StepParts parts;

    Parallels(StepParts parts) {
        this.parts = parts;
    }

    StepAction.Parallel read(Fields step) {
        Fields fields = parts.object(step, "parallel", "parallel", KEYS);
        List<Branch> branches = new ArrayList<>();
        Optional<SourceNode> node = fields.find("branches");
        if (node.isPresent() && node.get() instanceof SourceNode.Sequence sequence) {
            for (SourceNode item : sequence.items()) {
                String path = Paths.element(fields.path("branches"), branches.size());
                branches.add(branch(Fields.of(parts.reading().problems(), item, path, "a branch", BRANCH_KEYS)));
            }
            checkNames(sequence, branches, fields.path("branches"));
        } else if (fields.isObject()) {
            parts.reading()
                    .problem(
                            node.map(SourceNode::mark).orElse(fields.mark()),
                            fields.path("branches"),
                            "There is no list of branches.",
                            "Write branches: with a list, for example - {steps: […]}.");
        }
        int all = Math.clamp(branches.size(), 1, FlowLimits.PARALLELISM_MAX);
        return new StepAction.Parallel(
                branches,
                fields.whole("parallelism", 1, FlowLimits.PARALLELISM_MAX).orElse(all),
                Policies.extent(parts, fields, STOPPED));
    }

    private Branch branch(Fields fields) {
        return new Branch(
                fields.text("name").orElse(""),
                parts.list(fields, ListKind.PLAIN),
                fields.bool("skip_failure").orElse(false));
    }

    private void checkNames(SourceNode.Sequence sequence, List<Branch> branches, String path) {
        boolean named = branches.stream().anyMatch(branch -> !branch.name().isEmpty());
        Set<String> names = new HashSet<>();
        for (int i = 0; i < branches.size() && named; i++) {
            String name = branches.get(i).name();
            if (name.isEmpty() || !names.add(name)) {
                parts.reading()
                        .problem(
                                sequence.items().get(i).mark(),
                                Paths.element(path, i),
                                name.isEmpty()
                                        ? "This branch has no name, but another one has."
                                        : "The name \"" + name + "\" is taken by another branch.",
                                "Give each branch a name of its own, and the result is an object; or none, and it is an array.");
            }
        }
    }
}
