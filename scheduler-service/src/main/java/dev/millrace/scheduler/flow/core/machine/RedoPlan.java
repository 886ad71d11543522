package dev.millrace.scheduler.flow.core.machine;

import dev.millrace.scheduler.flow.core.graph.AffinityRules;
import dev.millrace.scheduler.flow.core.graph.FlowModel;
import dev.millrace.scheduler.flow.core.graph.HookedStep;
import dev.millrace.scheduler.flow.core.graph.StepKey;
import dev.millrace.scheduler.flow.core.state.BranchState;
import dev.millrace.scheduler.flow.core.state.Failure;
import dev.millrace.scheduler.flow.core.state.FinishedStep;
import dev.millrace.scheduler.flow.core.state.FlowState;
import dev.millrace.scheduler.flow.core.state.Journal;
import dev.millrace.scheduler.flow.core.state.KeyLookup;
import dev.millrace.scheduler.flow.core.state.LoopState;
import dev.millrace.scheduler.flow.core.state.Place;
import dev.millrace.scheduler.flow.core.state.RedoneRows;
import dev.millrace.scheduler.flow.core.state.Retry;
import dev.millrace.scheduler.flow.core.state.ScopeState;
import dev.millrace.scheduler.flow.core.state.StepState;
import dev.millrace.scheduler.queue.core.JobKind;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.RunId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What of a run is to be done again.
 *
 * @param resets those to add to its history, see {@link RedoneRows}; in the order of the texts of their keys
 */
public record RedoPlan(List<Reset> resets) {
    public RedoPlan {
        resets = List.copyOf(resets);
    }

    /**
     * A row of kind {@link JobKind#RESET}.
     *
     * @param result tells a step with hooks which attempt follows; null for others
     */
    public record Reset(StepKey key, Json result) {}

    /**
     * Everything that failed or was canceled, so that the run can go on from there. Containers around it go on, with what has
     * succeeded in them; failures that something around them has tolerated stay. Where a loop stood between two iterations and had not
     * decided whether to go on, its last iteration is done again, as the decision reads what happened in it. Steps that keep to one worker begin
     * again together, from the first of them: their folder is gone.
     *
     * @param rows the history of the run
     */
    public static RedoPlan ofFailures(FlowModel model, RunId run, Json input, List<FinishedStep> rows) {
        return planOf(model, failures(model, run, input, rows), rows);
    }

    /**
     * A step or an iteration, what comes after it, and everything that failed or was canceled. Containers around the step go on, but for one whose
     * steps keep to one worker, which begins again.
     *
     * @param rows the history of the run
     * @return empty where something around the step has not begun, or was told to end early by a step that stays
     * @throws IllegalArgumentException where the flow has no such step
     */
    public static Optional<RedoPlan> from(
            FlowModel model, RunId run, Json input, StepKey step, List<FinishedStep> rows) {
        requireStep(model, step);
        if (!haveBegun(step, new Journal(rows).rows())) {
            return Optional.empty();
        }
        Set<StepKey> resets = failures(model, run, input, rows);
        resets.add(step.with(StepKey.Mark.REDO));
        step.around().forEach(around -> resets.add(around.with(StepKey.Mark.REOPEN)));
        FlowState state = FlowState.fold(model, run, input, RedoneRows.without(rows, resets), Set.of());
        Place place = switch (KeyLookup.follow(state, step)) {
            case KeyLookup.ToStep to -> to.place();
            case KeyLookup.ToIteration to -> {
                addLaterIterations(to.loop(), to.iteration(), resets);
                yield new Place(to.loop().scope(), to.loop().step());
            }
            case KeyLookup.ToThePast _, KeyLookup.Nowhere _ -> null;
        };
        if (place == null || !place.scope().mayBegin()) {
            return Optional.empty();
        }
        addFollowers(place, resets);
        return Optional.of(planOf(model, resets, rows));
    }

    /** The rows that count once the resets are added, earlier retries of containers among them. */
    public List<FinishedStep> keep(List<FinishedStep> rows) {
        return RedoneRows.keep(rows, resets.stream().map(Reset::key).collect(Collectors.toSet()));
    }

    private static void requireStep(FlowModel model, StepKey step) {
        if (step.text().indexOf('#') >= 0) {
            throw new IllegalArgumentException("\"" + step + "\" is no step of the flow itself");
        }
        model.walk(step);
    }

    /** Whether the iterations around the step, or the one it is, have begun. */
    private static boolean haveBegun(StepKey step, List<FinishedStep> rows) {
        List<StepKey> iterations = new ArrayList<>(step.around());
        iterations.add(step);
        return iterations.stream().filter(StepKey::isIteration).allMatch(iteration -> hasRows(iteration, rows));
    }

    private static boolean hasRows(StepKey iteration, List<FinishedStep> rows) {
        return rows.stream()
                .map(row -> row.key().step())
                .anyMatch(key -> key.equals(iteration) || iteration.contains(key));
    }

    private static Set<StepKey> failures(FlowModel model, RunId run, Json input, List<FinishedStep> rows) {
        List<FinishedStep> counted = new Journal(rows).rows();
        Set<StepKey> resets = new FailedSteps(model, counted).resets();
        FlowState state = FlowState.fold(model, run, input, RedoneRows.without(rows, resets), Set.of());
        Set<StepKey> undecided = new HashSet<>();
        addUndecided(state.root(), counted, undecided);
        resets.addAll(undecided);
        return resets;
    }

    private static void addUndecided(ScopeState scope, List<FinishedStep> rows, Set<StepKey> resets) {
        for (int step : scope.openContainers()) {
            switch (scope.state(step)) {
                case LoopState loop -> {
                    loop.active().forEach(iteration -> addUndecided(iteration, rows, resets));
                    if (loop.mayBeUndecided() && !hasRows(loop.key(loop.next()), rows)) {
                        resets.add(loop.key(loop.next() - 1).with(StepKey.Mark.REDO));
                    }
                }
                case BranchState branch -> addUndecided(branch.scope(), rows, resets);
                case StepState.Ended _, StepState.Live _ -> {}
                case null -> {}
            }
        }
    }

    /** In each list around the step, what needs it, directly or not; of a sequential loop, the later iterations. */
    private static void addFollowers(Place place, Set<StepKey> resets) {
        Place inner = place;
        while (true) {
            ScopeState scope = inner.scope();
            for (int follower : scope.graph().followers(inner.step())) {
                resets.add(scope.key(follower).with(StepKey.Mark.REDO));
            }
            ScopeState parent = scope.parent();
            if (parent == null) {
                return;
            }
            LoopState loop = scope.loop();
            if (loop != null) {
                addLaterIterations(loop, scope.iteration(), resets);
            }
            inner = new Place(parent, scope.container());
        }
    }

    private static void addLaterIterations(LoopState loop, int iteration, Set<StepKey> resets) {
        if (loop.fan().isSequentialLoop()) {
            for (int later = iteration + 1; later < loop.next(); later++) {
                resets.add(loop.key(later).with(StepKey.Mark.REDO));
            }
        }
    }

    private static RedoPlan planOf(FlowModel model, Set<StepKey> resets, List<FinishedStep> rows) {
        Set.copyOf(resets).forEach(reset -> beginHookedAgain(reset, resets));
        AffinityRules groups = model.affinity();
        groups.begunAgainBy(resets).forEach(group -> resets.addAll(groups.firstKeys(group)));
        Journal journal = new Journal(rows);
        return new RedoPlan(resets.stream()
                .sorted(Comparator.comparing(StepKey::text))
                .map(key -> new Reset(key, retry(model, key, resets, journal)))
                .toList());
    }

    /**
     * A step with hooks begins as a whole, unless only its last hook is to be done again, or something inside of what it runs, which then goes
     * on.
     */
    private static void beginHookedAgain(StepKey reset, Set<StepKey> resets) {
        if (reset.mark().equals(Optional.of(StepKey.Mark.REOPEN))) {
            return;
        }
        HookedStep.begunAgainWith(reset.step()).ifPresent(hooked -> {
            resets.removeIf(other -> other.step().equals(hooked) || hooked.contains(other.step()));
            resets.add(hooked.with(StepKey.Mark.REDO));
        });
    }

    /** What the reset tells such a step where its last attempt has failed or was canceled, unless something around it begins again. */
    private static Json retry(FlowModel model, StepKey reset, Set<StepKey> resets, Journal journal) {
        StepKey step = reset.step();
        boolean isAlone = reset.equals(step.with(StepKey.Mark.REDO))
                && step.around().stream().noneMatch(around -> resets.contains(around.with(StepKey.Mark.REDO)));
        if (!isAlone
                || step.isIteration()
                || step.equals(StepKey.FAILURE)
                || !HookedStep.isOne(model.walk(step).node())) {
            return Json.NULL;
        }
        Set<StepKey> attempted = HookedStep.attempted(step);
        Optional<Retry> before = Optional.ofNullable(journal.retries().get(step));
        return journal.rows().stream()
                .filter(row -> attempted.contains(row.key()))
                .flatMap(row -> Failure.of(model, row.key(), row.outcome()).stream())
                .findFirst()
                .map(failure -> Retry.after(before, failure).json())
                .orElse(Json.NULL);
    }
}
