package dev.millrace.scheduler.flow.dialect.millrace;

import dev.millrace.scheduler.expression.Computed;
import dev.millrace.scheduler.expression.Path;
import dev.millrace.scheduler.expression.Root;
import dev.millrace.scheduler.flow.core.definition.FlowOptions;
import dev.millrace.scheduler.flow.core.definition.InputReference;
import dev.millrace.scheduler.flow.core.definition.InputSpec;
import dev.millrace.scheduler.flow.dialect.Nearest;
import dev.millrace.scheduler.flow.dialect.millrace.Drafts.ListDraft;
import dev.millrace.scheduler.flow.dialect.millrace.Drafts.Reference;
import dev.millrace.scheduler.flow.dialect.millrace.Drafts.Sight;
import dev.millrace.scheduler.flow.dialect.millrace.Drafts.StepDraft;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Check across the parts of a flow: ids, needs, and the names that expressions read. */
final class FlowCheck {
    private final Reading reading;
    private final List<String> inputs;
    /** Whether a run may have inputs beyond those declared. */
    private final boolean inputsOpen;

    private final Set<String> env;
    /** The id of the container around each step; empty for the list of the flow. */
    private final Map<String, String> containers = new HashMap<>();

    FlowCheck(Reading reading, List<InputSpec> inputs, FlowOptions options) {
        this.reading = reading;
        this.inputsOpen = options.undeclared() == FlowOptions.Undeclared.KEPT;
        this.env = options.env().members().keySet();
        this.inputs = inputs.stream().map(InputSpec::name).toList();
    }

    /**
     * Checks a flow.
     *
     * @param onFailure steps that run after a failure of the flow; they can read the steps of the flow
     * @param outside expressions that can read only inputs
     */
    void check(ListDraft flow, Optional<ListDraft> onFailure, List<Reference> outside) {
        noteContainers(flow, "");
        onFailure.ifPresent(steps -> noteContainers(steps, ""));
        Level level = check(flow, null);
        level.enter(flow.steps().size());
        onFailure.ifPresent(steps -> check(steps, level));
        Level nothing = new Level(ListDraft.empty(), null);
        outside.forEach(reference -> check(reference, nothing));
    }

    private void noteContainers(ListDraft list, String container) {
        for (StepDraft step : list.steps()) {
            containers.putIfAbsent(step.id(), container);
            step.inner().forEach(inner -> noteContainers(inner, step.id()));
        }
    }

    private Level check(ListDraft list, @Nullable Level outer) {
        Level level = new Level(list, outer);
        boolean ordered = new GraphCheck(reading, level).check();
        for (int i = 0; i < list.steps().size(); i++) {
            StepDraft step = list.steps().get(i);
            level.enter(i);
            if (ordered) {
                step.references().forEach(reference -> check(reference, level));
                step.inner().forEach(inner -> check(inner, level));
            }
        }
        level.enter(list.steps().size());
        if (ordered) {
            list.output().references().forEach(reference -> check(reference, level));
            list.ending().forEach(reference -> check(reference, level));
        }
        return level;
    }

    private void check(Reference reference, Level level) {
        switch (reference.target()) {
            case Path path -> check(reference, path, level);
            case Computed computed -> computed.paths().forEach(path -> check(reference, path, level));
        }
    }

    private void check(Reference reference, Path target, Level level) {
        switch (target.root()) {
            case Root.Inputs _ -> checkInput(reference, target);
            case Root.StepResult step -> checkStep(reference, step.id(), level);
            case Root.StepResultIfAny step -> checkStepIfAny(reference, step.id(), level);
            case Root.Item item -> checkLoop(reference, item.toString(), item.outward(), level);
            case Root.Index index -> checkLoop(reference, index.toString(), index.outward(), level);
            case Root.Result _ ->
                checkSight(
                        reference,
                        Sight.RESULT,
                        "result",
                        "Read it in stop, until, break_if, while or after; elsewhere, read steps.ID.result.");
            case Root.ResultsSoFar _ -> checkSight(reference, Sight.RESULTS, "results_so_far", "Read it in break_if.");
            case Root.Failure _ -> {
                if (!level.followsFailure()) {
                    checkSight(
                            reference,
                            Sight.ERROR,
                            "error",
                            "Read it in retry_if, in before_retry, or in on_failure of the flow.");
                }
            }
            case Root.Retry _ -> checkSight(reference, Sight.RETRY, "retry", "Read it in before_retry or every.");
            case Root.Environment _ -> checkEnv(reference, target);
            case Root.Reference named -> checkReference(reference, named);
            case Root.Variables _, Root.Run _ -> {}
        }
    }

    private void checkSight(Reference reference, Sight sight, String word, String remedy) {
        if (!reference.sights().contains(sight)) {
            problem(reference, "\"" + word + "\" does not exist here.", remedy);
        }
    }

    private void checkReference(Reference reference, Root.Reference named) {
        if (!InputReference.isReference(reference.target())) {
            problem(
                    reference,
                    "\"" + named + "\" is part of a larger expression.",
                    "Nothing can be computed with secrets and resources: write ${{ " + named
                            + " }} alone or beside literal text.");
        } else if (!reference.sights().contains(Sight.REFERENCES)) {
            problem(
                    reference,
                    "\"" + named + "\" cannot be used here.",
                    "Use it in the input of a step that runs a script or handler: only workers get its value.");
        }
    }

    private void checkInput(Reference reference, Path target) {
        target.firstKey()
                .filter(name -> !inputsOpen && !inputs.contains(name))
                .ifPresent(name -> problem(
                        reference,
                        "The flow has no input \"" + name + "\".",
                        Nearest.didYouMean(name, inputs)
                                + (inputs.isEmpty()
                                        ? "Declare it under inputs."
                                        : "Declare it under inputs; there are: " + String.join(", ", inputs) + ".")));
    }

    private void checkEnv(Reference reference, Path target) {
        target.firstKey()
                .filter(name -> !env.contains(name) && mustExist(reference))
                .ifPresent(name -> problem(
                        reference,
                        "The environment of the flow has no \"" + name + "\".",
                        Nearest.didYouMean(name, env) + "Write it under env, with its value."));
    }

    /** Whether the expression is a plain path that fails if it leads to nothing. */
    private static boolean mustExist(Reference reference) {
        return reference.target() instanceof Path path
                && !path.segments().getFirst().optional();
    }

    private void checkLoop(Reference reference, String word, int outward, Level level) {
        int loops = level.loops() + (reference.sights().contains(Sight.ITERATION) ? 1 : 0);
        if (outward >= loops) {
            problem(
                    reference,
                    loops == 0
                            ? "\"" + word + "\" is read outside of a loop."
                            : "\"" + word + "\" is read inside of only " + loops + (loops == 1 ? " loop." : " loops."),
                    "Read it in a step with for_each, or inside one.");
        }
    }

    /** Checks a read of a step that may not have ended, or may be invisible here. The step must still exist. */
    private void checkStepIfAny(Reference reference, String id, Level level) {
        if (!containers.containsKey(id)) {
            reading.problems()
                    .warn(
                            reference.mark(),
                            reference.path(),
                            "There is no step \"" + id + "\": its result is null.",
                            readable(id, level));
        }
    }

    private void checkStep(Reference reference, String id, Level innermost) {
        for (Level level = innermost; level != null; level = level.outer()) {
            Integer step = level.list().single() ? null : level.byId().get(id);
            if (step != null) {
                if (!level.endsBefore(step)) {
                    problem(reference, notBefore(level, id), remedy(level, step));
                }
                return;
            }
            Integer container = level.branchSteps().get(id);
            if (container != null) {
                checkBranchStep(reference, id, container, level);
                return;
            }
        }
        unknownStep(reference, id, innermost);
    }

    private void checkBranchStep(Reference reference, String id, int container, Level level) {
        if (container == Level.AMBIGUOUS) {
            problem(
                    reference,
                    "Several branches have a step \"" + id + "\".",
                    "Give them different ids, or read the result of the step with the branches.");
        } else if (!level.endsBefore(container)) {
            String name = level.list().steps().get(container).id();
            problem(
                    reference,
                    "Step \"" + level.currentId() + "\" reads the result of step \"" + id + "\" inside \"" + name
                            + "\", but does not wait for it.",
                    waitFor(level, container));
        }
    }

    private static String notBefore(Level level, String id) {
        return id.equals(level.currentId())
                ? "Step \"" + id + "\" reads its own result."
                : "Step \"" + level.currentId() + "\" reads the result of step \"" + id
                        + "\", but does not wait for it.";
    }

    private static String remedy(Level level, int step) {
        return level.list().steps().get(step).id().equals(level.currentId())
                ? "Read the result of an earlier step."
                : waitFor(level, step);
    }

    /** Says how the step in the check can wait for another one, which may wait for it so far. */
    private static String waitFor(Level level, int step) {
        StepDraft other = level.list().steps().get(step);
        String id = "\"" + other.id() + "\"";
        String current = "\"" + level.currentId() + "\"";
        if (!level.waitsForCurrent(step)) {
            return "Add " + id + " to the needs of step " + current + ".";
        }
        return other.hasWrittenNeed(level.currentId())
                ? "Remove " + current + " from the needs of step " + id + ", and add " + id + " to the needs of step "
                        + current + "."
                : "Move " + current + " behind " + id + ", which waits for it.";
    }

    private void unknownStep(Reference reference, String id, Level innermost) {
        String container = containers.getOrDefault(id, "");
        if (!container.isEmpty()) {
            problem(
                    reference,
                    "Step \"" + id + "\" is inside \"" + container + "\" and cannot be read here.",
                    "Read steps." + container + ".result, and give \"" + container
                            + "\" an output that holds what you need.");
            return;
        }
        problem(reference, "There is no step \"" + id + "\".", readable(id, innermost));
    }

    private static String readable(String id, Level innermost) {
        TreeSet<String> visible = new TreeSet<>();
        for (Level level = innermost; level != null; level = level.outer()) {
            visible.addAll(level.byId().keySet());
        }
        return visible.isEmpty()
                ? "No step can be read here."
                : Nearest.didYouMean(id, visible) + "Steps that can be read here: " + String.join(", ", visible) + ".";
    }

    private void problem(Reference reference, String message, String remedy) {
        reading.problem(reference.mark(), reference.path(), message, remedy);
    }
}
