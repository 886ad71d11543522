package dev.millrace.scheduler.flow.core.graph;

import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.definition.StepAction;
import dev.millrace.scheduler.queue.core.JobKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Runs at most one of several branches. Branch {@code cases.size()} is {@code otherwise}. */
public record SwitchWork(Optional<Template> value, List<Branch> cases, Optional<Graph> otherwise) implements Container {
    /** A branch with its condition. */
    public record Branch(StepAction.Test test, Graph graph) {}

    static SwitchWork compile(StepAction.Switch choice, GraphBuilder list) {
        choice.value().ifPresent(list::read);
        List<Branch> branches = new ArrayList<>();
        for (StepAction.Case branch : choice.cases()) {
            list.read(
                    switch (branch.test()) {
                        case StepAction.Test.Equals equals -> equals.expected();
                        case StepAction.Test.When when -> when.condition();
                    });
            branches.add(new Branch(branch.test(), list.inner(branch.steps(), false, List.of())));
        }
        Optional<Graph> otherwise = choice.otherwise().map(steps -> list.inner(steps, false, List.of()));
        return new SwitchWork(choice.value(), List.copyOf(branches), otherwise);
    }

    @Override
    public JobKind kind() {
        return JobKind.SWITCH;
    }

    /** All branches, the default last. */
    @Override
    public List<Graph> lists() {
        return Stream.concat(cases.stream().map(Branch::graph), otherwise.stream())
                .toList();
    }

    @Override
    public List<Graph> openLists() {
        return lists();
    }

    @Override
    public void visitLists(String key, BiConsumer<Graph, String> visitor) {
        lists().forEach(branch -> visitor.accept(branch, key));
    }

    @Override
    public @Nullable Graph find(String id) {
        return lists().stream()
                .filter(branch -> branch.byId().containsKey(id))
                .findFirst()
                .orElse(null);
    }

    @Override
    public int offset(String id) {
        int offset = 0;
        for (Graph branch : lists()) {
            if (branch.byId().containsKey(id)) {
                break;
            }
            offset += branch.nodes().size();
        }
        return offset;
    }
}
