package dev.millrace.scheduler.flow.core.machine;

import dev.millrace.scheduler.flow.core.graph.StepKey;
import dev.millrace.scheduler.flow.core.state.FlowState.Phase;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.Outcome;
import java.util.List;
import java.util.stream.Stream;

/** The transitions of a run: for each phase and event, what the machine decides, with a flow that demonstrates it. */
final class FlowTransitions {
    private static final String TWO_STEPS = "steps: [{id: a, script: s.py}, {id: b, script: s.py}]";
    private static final String TWO_AT_ONCE = "steps: [{id: a, script: s.py}, {id: b, needs: [], script: s.py}]";

    private static final String STOPPED_OF_THREE =
            "steps: [{id: a, script: s.py, stop: {when: true}}, {id: b, needs: [], script: s.py}, "
                    + "{id: c, needs: [], script: s.py}]";
    private static final String STOPPED_OF_TWO =
            "steps: [{id: a, script: s.py, stop: {when: true}}, {id: b, needs: [], script: s.py}]";
    private static final String HANDLED =
            "steps: [{id: a, script: s.py}]\non_failure: {steps: [{id: h, script: s.py}, " + "{id: i, script: s.py}]}";

    private static final FlowEvent START = new FlowEvent.Started();
    private static final FlowEvent CANCEL = new FlowEvent.CancelRequested(RunOfFlow.error("asked for"));
    private static final FlowEvent PAUSE = new FlowEvent.Paused();
    private static final FlowEvent RESUME = new FlowEvent.Resumed();

    /**
     * One row of the table.
     *
     * @param way how the run gets into the phase in which the event occurs
     * @param answer what the machine decides, in words
     */
    record Transition(Way way, FlowEvent last, String condition, Phase to, String answer) {
        Phase from() {
            return way.phase();
        }

        String event() {
            return last.getClass().getSimpleName();
        }
    }

    /**
     * How a run gets into a phase, and remains there.
     *
     * @param flow the flow that demonstrates it
     * @param history the events so far
     */
    record Way(Phase phase, String flow, List<FlowEvent> history) {
        Transition on(FlowEvent last, String condition, Phase to, String answer) {
            return new Transition(this, last, condition, to, answer);
        }
    }

    private static final Way NEW = way(Phase.NEW, TWO_STEPS);
    private static final Way RUNNING = way(Phase.RUNNING, TWO_STEPS, START);
    private static final Way RUNNING_TWO = way(Phase.RUNNING, TWO_AT_ONCE, START);
    private static final Way RUNNING_THE_LAST = way(Phase.RUNNING, TWO_STEPS, START, succeeded("a"));
    private static final Way STOPPING = way(Phase.STOPPING, STOPPED_OF_TWO, START, succeeded("a"));
    private static final Way STOPPING_WITH_TWO = way(Phase.STOPPING, STOPPED_OF_THREE, START, succeeded("a"));
    private static final Way STOPPING_WITH_ONE =
            way(Phase.STOPPING, STOPPED_OF_THREE, START, succeeded("a"), succeeded("b"));
    private static final Way FAILING = way(Phase.FAILING, TWO_AT_ONCE, START, failed("a"));
    private static final Way HANDLING = way(Phase.HANDLING, HANDLED, START, failed("a"));
    private static final Way ENDED = way(Phase.ENDED, TWO_STEPS, START, CANCEL);

    private static final List<Transition> COURSES = List.of(
            NEW.on(START, "a step can begin", Phase.RUNNING, "jobs"),
            way(Phase.NEW, "steps: []").on(START, "no step needs a worker", Phase.ENDED, "succeeded"),
            way(Phase.NEW, "steps: [{id: a, for_each: 5, script: s.py}]")
                    .on(START, "a first step cannot begin", Phase.ENDED, "failed"),
            NEW.on(succeeded("a"), "", Phase.NEW, "rejected: STEP_NOT_LIVE"),
            NEW.on(CANCEL, "", Phase.ENDED, "canceled"),
            RUNNING.on(START, "", Phase.RUNNING, "rejected: ALREADY_STARTED"),
            RUNNING.on(succeeded("a"), "succeeded or skipped, more can begin", Phase.RUNNING, "jobs"),
            RUNNING_TWO.on(succeeded("a"), "succeeded or skipped, other steps are live", Phase.RUNNING, "nothing"),
            RUNNING_THE_LAST.on(
                    succeeded("b"), "succeeded or skipped, no other step is live", Phase.ENDED, "succeeded"),
            way(Phase.RUNNING, "steps: [{id: a, script: s.py}]\noutput: ${{ steps.a.result.absent }}", START)
                    .on(succeeded("a"), "succeeded, the next step cannot begin or be resolved", Phase.ENDED, "failed"),
            way(
                            Phase.RUNNING,
                            "steps: [{id: a, script: s.py}, {id: b, script: s.py, input: {x: \"${{ steps.a.result.absent }}\"}}, "
                                    + "{id: c, needs: [], script: s.py}]",
                            START)
                    .on(
                            succeeded("a"),
                            "succeeded, the next step cannot begin, other steps are live",
                            Phase.FAILING,
                            "nothing"),
            RUNNING_TWO.on(failed("a"), "failed, other steps are live", Phase.FAILING, "nothing"),
            RUNNING.on(failed("a"), "failed, no other step is live", Phase.ENDED, "failed"),
            RUNNING_THE_LAST.on(succeeded("a"), "of a step that is not live", Phase.RUNNING, "rejected: STEP_NOT_LIVE"),
            RUNNING.on(CANCEL, "", Phase.ENDED, "canceled"),
            FAILING.on(START, "", Phase.FAILING, "rejected: ALREADY_STARTED"),
            way(
                            Phase.FAILING,
                            "steps: [{id: a, for_each: [1, 2, 3, 4], parallelism: 3, script: s.py}]",
                            START,
                            failed("a[0]"))
                    .on(succeeded("a[1]"), "other steps are live", Phase.FAILING, "nothing"),
            FAILING.on(succeeded("b"), "no other step is live", Phase.ENDED, "failed"),
            FAILING.on(failed("a"), "of a step that is not live", Phase.FAILING, "rejected: STEP_NOT_LIVE"),
            FAILING.on(CANCEL, "", Phase.ENDED, "canceled"),
            way(Phase.RUNNING, STOPPED_OF_THREE, START)
                    .on(succeeded("a"), "a step ends the flow early, other steps are live", Phase.STOPPING, "nothing"),
            way(Phase.RUNNING, "steps: [{id: a, script: s.py, stop: {when: true}}, {id: b, script: s.py}]", START)
                    .on(succeeded("a"), "a step ends the flow early, no other step is live", Phase.ENDED, "succeeded"),
            way(Phase.RUNNING, "steps: [{id: a, script: s.py, on_failure: continue}, {id: b, script: s.py}]", START)
                    .on(failed("a"), "failed, a boundary tolerates the failure", Phase.RUNNING, "jobs"),
            way(Phase.RUNNING, HANDLED, START)
                    .on(failed("a"), "failed, the flow has failure steps", Phase.HANDLING, "jobs"),
            STOPPING_WITH_TWO.on(START, "", Phase.STOPPING, "rejected: ALREADY_STARTED"),
            STOPPING_WITH_TWO.on(succeeded("b"), "other steps are live", Phase.STOPPING, "nothing"),
            STOPPING_WITH_ONE.on(succeeded("c"), "no other step is live", Phase.ENDED, "succeeded"),
            STOPPING_WITH_TWO.on(failed("b"), "failed, other steps are live", Phase.FAILING, "nothing"),
            STOPPING_WITH_ONE.on(failed("c"), "failed, no other step is live", Phase.ENDED, "failed"),
            STOPPING_WITH_TWO.on(CANCEL, "", Phase.ENDED, "canceled"),
            way(
                            Phase.FAILING,
                            "steps: [{id: a, script: s.py}, {id: b, needs: [], script: s.py}]\n"
                                    + "on_failure: {steps: [{id: h, script: s.py}]}",
                            START,
                            failed("a"))
                    .on(succeeded("b"), "no other step is live, the flow has failure steps", Phase.HANDLING, "jobs"),
            HANDLING.on(START, "", Phase.HANDLING, "rejected: ALREADY_STARTED"),
            HANDLING.on(succeeded("#failure.h"), "succeeded, more can begin", Phase.HANDLING, "jobs"),
            way(Phase.HANDLING, HANDLED, START, failed("a"), succeeded("#failure.h"))
                    .on(succeeded("#failure.i"), "no other step is live", Phase.ENDED, "failed"),
            HANDLING.on(failed("#failure.h"), "failed", Phase.ENDED, "failed"),
            HANDLING.on(failed("a"), "of a step that is not live", Phase.HANDLING, "rejected: STEP_NOT_LIVE"),
            HANDLING.on(CANCEL, "", Phase.ENDED, "canceled"),
            ENDED.on(START, "", Phase.ENDED, "rejected: RUN_ENDED"),
            ENDED.on(succeeded("a"), "", Phase.ENDED, "rejected: RUN_ENDED"),
            NEW.on(skipped("a"), "", Phase.NEW, "rejected: STEP_NOT_LIVE"),
            RUNNING.on(skipped("a"), "of a live step, more can begin", Phase.RUNNING, "jobs"),
            way(Phase.RUNNING, "steps: [{id: a, script: s.py, delay: 5s}, {id: b, script: s.py}]", START)
                    .on(skipped("a"), "of a step whose delay still runs", Phase.RUNNING, "jobs"),
            RUNNING_THE_LAST.on(skipped("b"), "no other step is live", Phase.ENDED, "succeeded"),
            RUNNING.on(skipped("b"), "of a step that is not live", Phase.RUNNING, "rejected: STEP_NOT_LIVE"),
            STOPPING.on(skipped("b"), "no other step is live", Phase.ENDED, "succeeded"),
            FAILING.on(skipped("b"), "no other step is live", Phase.ENDED, "failed"),
            HANDLING.on(skipped("#failure.h"), "more can begin", Phase.HANDLING, "jobs"),
            ENDED.on(skipped("a"), "", Phase.ENDED, "rejected: RUN_ENDED"),
            ENDED.on(CANCEL, "", Phase.ENDED, "rejected: RUN_ENDED"));

    private static final List<Transition> PAUSES = Stream.of(NEW, RUNNING, STOPPING, FAILING, HANDLING, ENDED)
            .flatMap(way -> Stream.of(PAUSE, RESUME).map(event -> onPause(way, event)))
            .toList();

    private static final List<Transition> PAUSED = List.of(
            way(Phase.RUNNING, TWO_STEPS, START, PAUSE)
                    .on(succeeded("a"), "succeeded, more could begin, the run is paused", Phase.RUNNING, "nothing"),
            way(Phase.RUNNING, TWO_STEPS, START, PAUSE, succeeded("a"))
                    .on(RESUME, "the pause had held back a step", Phase.RUNNING, "jobs"));

    static final List<Transition> ALL =
            Stream.of(COURSES, PAUSES, PAUSED).flatMap(List::stream).toList();

    private FlowTransitions() {}

    private static Way way(Phase phase, String flow, FlowEvent... history) {
        return new Way(phase, flow, List.of(history));
    }

    private static Transition onPause(Way way, FlowEvent event) {
        return way.on(event, "", way.phase(), way.phase() == Phase.ENDED ? "rejected: RUN_ENDED" : "nothing");
    }

    private static FlowEvent succeeded(String key) {
        return new FlowEvent.StepEnded(new StepKey(key), new Outcome.Succeeded(new Json("1")));
    }

    private static FlowEvent skipped(String key) {
        return new FlowEvent.SkipRequested(new StepKey(key), new Json("2"));
    }

    private static FlowEvent failed(String key) {
        return new FlowEvent.StepEnded(new StepKey(key), new Outcome.Failed(RunOfFlow.error("No luck.")));
    }
}
