package dev.millrace.scheduler.flow.core.machine;

import dev.millrace.scheduler.flow.core.graph.AffinityRules;
import dev.millrace.scheduler.flow.core.graph.FlowModel;
import dev.millrace.scheduler.flow.core.graph.HookedStep;
import dev.millrace.scheduler.flow.core.graph.StepKey;
import dev.millrace.scheduler.flow.core.state.BranchState;
import dev.millrace.scheduler.flow.core.state.Failure;
import dev.millrace.scheduler.flow.core.state.FinishedStep;
import dev.millrace.scheduler.flow.core.state.FlowFold;
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
 * A plan of what to redo in a run.
 *
 * @param resets the resets to add to the history, ordered by key; see {@link RedoneRows}
 */
public record RedoPlan(List<Reset> resets) {
    public RedoPlan {
        resets = List.copyOf(resets);
    }

    /**
     * A row of kind {@link JobKind#RESET}.
     *
     * @param result for a hooked step, the retry that follows; null for other steps
     */
    public record Reset(StepKey key, Json result) {}

    /**
     * Plans to redo everything that failed or was canceled, so that the run can continue from there.
     * <ul>
     * <li>Containers around a failed step continue and keep what has succeeded in them.
     * <li>Failures that something around them has tolerated remain.
     * <li>If a loop stopped between two iterations before deciding whether to continue, its last iteration is redone,
     *   because the decision reads its results.
     * <li>An affinity group begins again from its first steps, because its folder is gone.
     * </ul>
     *
     * @param rows the history of the run
     */
    public static RedoPlan ofFailures(FlowModel model, RunId run, Json input, List<FinishedStep> rows) {
        return planOf(model, failures(model, run, input, rows), rows);
    }

    /**
     * Plans to redo a step or an iteration, everything after it, and everything that failed or was canceled. Containers
     * around the step continue, except an affinity group, which begins again.
     *
     * @param rows the history of the run
     * @return empty if something around the step has not begun, or was ended early by a step that is not redone
     * @throws IllegalArgumentException if the flow has no such step
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
        FlowState state = FlowFold.of(model, run, input, RedoneRows.without(rows, resets), Set.of());
        Place place = switch (KeyLookup.follow(state.root(), state.handler(), step)) {
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

    /** Returns the rows that still count after the resets, including earlier retries of containers. */
    public List<FinishedStep> keep(List<FinishedStep> rows) {
        return RedoneRows.keep(rows, resets.stream().map(Reset::key).collect(Collectors.toSet()));
    }

    private static void requireStep(FlowModel model, StepKey step) {
        if (step.text().indexOf('#') >= 0) {
            throw new IllegalArgumentException("\"" + step + "\" is not a step of the flow itself");
        }
        model.walk(step);
    }

    /** Returns whether the iterations that are or contain the step have begun. */
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
        FlowState state = FlowFold.of(model, run, input, RedoneRows.without(rows, resets), Set.of());
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

    /**
     * Adds what depends on the step, directly or indirectly, in each list around it, and the later iterations of
     * sequential loops.
     */
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
     * Makes a hooked step begin again as a whole. There are two exceptions: only its last hook is redone, or something
     * inside the hooked action, which then continues.
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

    /**
     * Returns the retry that a reset records for a hooked step whose last attempt failed or was canceled. Null for
     * other steps, and if something around the step begins again.
     */
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
