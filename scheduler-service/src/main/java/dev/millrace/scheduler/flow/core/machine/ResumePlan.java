package dev.millrace.scheduler.flow.core.machine;

import dev.millrace.scheduler.flow.core.state.BranchState;
import dev.millrace.scheduler.flow.core.state.FlowState;
import dev.millrace.scheduler.flow.core.state.Frame;
import dev.millrace.scheduler.flow.core.state.LoopState;
import dev.millrace.scheduler.flow.core.state.Place;
import dev.millrace.scheduler.flow.core.state.ScopeState;
import dev.millrace.scheduler.flow.core.state.StepState;
import java.util.ArrayList;
import java.util.List;

/** Searches a state without live steps for everything that can begin or end. */
final class ResumePlan {
    private final List<Transition.Pending> work = new ArrayList<>();
    private final List<Frame> ending = new ArrayList<>();
    private final List<Place> open = new ArrayList<>();
    private final List<Place> mayBeginEarly = new ArrayList<>();

    private ResumePlan() {}

    static ResumePlan of(FlowState state) {
        ResumePlan plan = new ResumePlan();
        plan.inside(state.root());
        return plan;
    }

    List<Transition.Pending> work() {
        return work;
    }

    /** The lists and containers that are ending early because a step that remains has ended them. */
    List<Frame> ending() {
        return ending;
    }

    /** The containers in progress, whose time limits start again. */
    List<Place> open() {
        return open;
    }

    /**
     * The steps that may begin early. Some of the steps they need, or some iterations of a loop they need, have ended,
     * but not all.
     */
    List<Place> mayBeginEarly() {
        return mayBeginEarly;
    }

    private void inside(ScopeState scope) {
        note(scope);
        if (scope.isComplete()) {
            work.add(new Transition.Pending.CompleteScope(scope));
            return;
        }
        for (int step = 0; step < scope.graph().nodes().size(); step++) {
            if (scope.state(step) instanceof StepState.Container) {
                open.add(new Place(scope, step));
            }
            switch (scope.state(step)) {
                case LoopState loop -> inside(loop);
                case BranchState branch -> {
                    note(branch);
                    inside(branch.scope());
                }
                case StepState.Ended _, StepState.Live _ -> {}
                case null -> {
                    Place place = new Place(scope, step);
                    if (scope.unmet(step) == 0) {
                        work.add(new Transition.Pending.BeginStep(place));
                    } else if (scope.unmet(step) < place.node().needs()) {
                        mayBeginEarly.add(place);
                    }
                }
            }
        }
    }

    /** Continues a loop. Iterations that had begun but have no remaining rows begin again. */
    private void inside(LoopState loop) {
        note(loop);
        if (loop.done() > 0 && loop.isSeen()) {
            mayBeginEarly.addAll(EarlyBegins.awaiting(loop));
        }
        List<Integer> active = new ArrayList<>();
        for (int iteration = 0; iteration < loop.next(); iteration++) {
            if (!loop.hasEnded(iteration)) {
                active.add(iteration);
            }
        }
        work.add(new Transition.Pending.FillLoop(loop, active.size()));
        for (int iteration : active) {
            ScopeState known = loop.find(iteration);
            if (known == null) {
                work.add(new Transition.Pending.BeginScope(loop.newIteration(iteration)));
            } else {
                inside(known);
            }
        }
    }

    private void note(Frame frame) {
        if (frame.isEnding()) {
            ending.add(frame);
        }
    }
}
