package dev.millrace.scheduler.flow.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.flow.core.FlowState.Phase;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * The transitions of a run, each visited, and drawn in {@code docs/reference/flow-states.md}. After a change, run the test with
 * {@code -Dmillrace.docs.write=true} to draw them anew.
 */
class FlowStatesTest {
    private static final Path DOCUMENT = Path.of("../docs/reference/flow-states.md");

    private static final String TWO_STEPS = "steps: [{id: a, script: s.py}, {id: b, script: s.py}]";
    private static final String TWO_AT_ONCE = "steps: [{id: a, script: s.py}, {id: b, needs: [], script: s.py}]";

    private static final String STOPPING =
            "steps: [{id: a, script: s.py, stop: {when: true}}, {id: b, needs: [], script: s.py}, "
                    + "{id: c, needs: [], script: s.py}]";
    private static final String TWO_STOPPING =
            "steps: [{id: a, script: s.py, stop: {when: true}}, {id: b, needs: [], script: s.py}]";
    private static final String HANDLING =
            "steps: [{id: a, script: s.py}]\non_failure: {steps: [{id: h, script: s.py}, " + "{id: i, script: s.py}]}";

    private static final FlowEvent START = new FlowEvent.Started();
    private static final FlowEvent CANCEL = new FlowEvent.CancelRequested(RunOfFlow.error("asked for"));

    /**
     * One row of the table.
     *
     * @param flow the flow that shows it
     * @param history what happened before
     * @param answer what the machine decides, in words
     */
    private record Transition(
            Phase from,
            String event,
            String condition,
            Phase to,
            String answer,
            String flow,
            List<FlowEvent> history,
            FlowEvent last) {}

    private static final List<Transition> COURSES = List.of(
            row(Phase.NEW, "Started", "a step can begin", Phase.RUNNING, "jobs", TWO_STEPS, List.of(), START),
            row(
                    Phase.NEW,
                    "Started",
                    "no step needs a worker",
                    Phase.ENDED,
                    "succeeded",
                    "steps: []",
                    List.of(),
                    START),
            row(
                    Phase.NEW,
                    "Started",
                    "a first step cannot begin",
                    Phase.ENDED,
                    "failed",
                    "steps: [{id: a, for_each: 5, script: s.py}]",
                    List.of(),
                    START),
            row(Phase.NEW, "StepEnded", "", Phase.NEW, "rejected: STEP_NOT_LIVE", TWO_STEPS, List.of(), succeeded("a")),
            row(Phase.NEW, "CancelRequested", "", Phase.ENDED, "canceled", TWO_STEPS, List.of(), CANCEL),
            row(
                    Phase.RUNNING,
                    "Started",
                    "",
                    Phase.RUNNING,
                    "rejected: ALREADY_STARTED",
                    TWO_STEPS,
                    List.of(START),
                    START),
            row(
                    Phase.RUNNING,
                    "StepEnded",
                    "succeeded or skipped, more can begin",
                    Phase.RUNNING,
                    "jobs",
                    TWO_STEPS,
                    List.of(START),
                    succeeded("a")),
            row(
                    Phase.RUNNING,
                    "StepEnded",
                    "succeeded or skipped, others are live",
                    Phase.RUNNING,
                    "nothing",
                    TWO_AT_ONCE,
                    List.of(START),
                    succeeded("a")),
            row(
                    Phase.RUNNING,
                    "StepEnded",
                    "succeeded or skipped, it was the last",
                    Phase.ENDED,
                    "succeeded",
                    TWO_STEPS,
                    List.of(START, succeeded("a")),
                    succeeded("b")),
            row(
                    Phase.RUNNING,
                    "StepEnded",
                    "succeeded, what follows cannot begin or be resolved",
                    Phase.ENDED,
                    "failed",
                    "steps: [{id: a, script: s.py}]\noutput: ${{ steps.a.result.absent }}",
                    List.of(START),
                    succeeded("a")),
            row(
                    Phase.RUNNING,
                    "StepEnded",
                    "succeeded, what follows cannot begin, others are live",
                    Phase.FAILING,
                    "nothing",
                    "steps: [{id: a, script: s.py}, {id: b, script: s.py, input: {x: \"${{ steps.a.result.absent }}\"}}, "
                            + "{id: c, needs: [], script: s.py}]",
                    List.of(START),
                    succeeded("a")),
            row(
                    Phase.RUNNING,
                    "StepEnded",
                    "failed, others are live",
                    Phase.FAILING,
                    "nothing",
                    TWO_AT_ONCE,
                    List.of(START),
                    failed("a")),
            row(
                    Phase.RUNNING,
                    "StepEnded",
                    "failed, none is live",
                    Phase.ENDED,
                    "failed",
                    TWO_STEPS,
                    List.of(START),
                    failed("a")),
            row(
                    Phase.RUNNING,
                    "StepEnded",
                    "of a step that is not live",
                    Phase.RUNNING,
                    "rejected: STEP_NOT_LIVE",
                    TWO_STEPS,
                    List.of(START, succeeded("a")),
                    succeeded("a")),
            row(Phase.RUNNING, "CancelRequested", "", Phase.ENDED, "canceled", TWO_STEPS, List.of(START), CANCEL),
            row(
                    Phase.FAILING,
                    "Started",
                    "",
                    Phase.FAILING,
                    "rejected: ALREADY_STARTED",
                    TWO_AT_ONCE,
                    List.of(START, failed("a")),
                    START),
            row(
                    Phase.FAILING,
                    "StepEnded",
                    "others are live",
                    Phase.FAILING,
                    "nothing",
                    "steps: [{id: a, for_each: [1, 2, 3, 4], parallelism: 3, script: s.py}]",
                    List.of(START, failed("a[0]")),
                    succeeded("a[1]")),
            row(
                    Phase.FAILING,
                    "StepEnded",
                    "it was the last",
                    Phase.ENDED,
                    "failed",
                    TWO_AT_ONCE,
                    List.of(START, failed("a")),
                    succeeded("b")),
            row(
                    Phase.FAILING,
                    "StepEnded",
                    "of a step that is not live",
                    Phase.FAILING,
                    "rejected: STEP_NOT_LIVE",
                    TWO_AT_ONCE,
                    List.of(START, failed("a")),
                    failed("a")),
            row(
                    Phase.FAILING,
                    "CancelRequested",
                    "",
                    Phase.ENDED,
                    "canceled",
                    TWO_AT_ONCE,
                    List.of(START, failed("a")),
                    CANCEL),
            row(
                    Phase.RUNNING,
                    "StepEnded",
                    "a step asks for an early end, others are live",
                    Phase.STOPPING,
                    "nothing",
                    STOPPING,
                    List.of(START),
                    succeeded("a")),
            row(
                    Phase.RUNNING,
                    "StepEnded",
                    "a step asks for an early end, none is live",
                    Phase.ENDED,
                    "succeeded",
                    "steps: [{id: a, script: s.py, stop: {when: true}}, {id: b, script: s.py}]",
                    List.of(START),
                    succeeded("a")),
            row(
                    Phase.RUNNING,
                    "StepEnded",
                    "failed, something around it tolerates that",
                    Phase.RUNNING,
                    "jobs",
                    "steps: [{id: a, script: s.py, on_failure: continue}, {id: b, script: s.py}]",
                    List.of(START),
                    failed("a")),
            row(
                    Phase.RUNNING,
                    "StepEnded",
                    "failed, there are steps for that case",
                    Phase.HANDLING,
                    "jobs",
                    HANDLING,
                    List.of(START),
                    failed("a")),
            row(
                    Phase.STOPPING,
                    "Started",
                    "",
                    Phase.STOPPING,
                    "rejected: ALREADY_STARTED",
                    STOPPING,
                    List.of(START, succeeded("a")),
                    START),
            row(
                    Phase.STOPPING,
                    "StepEnded",
                    "others are live",
                    Phase.STOPPING,
                    "nothing",
                    STOPPING,
                    List.of(START, succeeded("a")),
                    succeeded("b")),
            row(
                    Phase.STOPPING,
                    "StepEnded",
                    "it was the last",
                    Phase.ENDED,
                    "succeeded",
                    STOPPING,
                    List.of(START, succeeded("a"), succeeded("b")),
                    succeeded("c")),
            row(
                    Phase.STOPPING,
                    "StepEnded",
                    "failed, others are live",
                    Phase.FAILING,
                    "nothing",
                    STOPPING,
                    List.of(START, succeeded("a")),
                    failed("b")),
            row(
                    Phase.STOPPING,
                    "StepEnded",
                    "failed, it was the last",
                    Phase.ENDED,
                    "failed",
                    STOPPING,
                    List.of(START, succeeded("a"), succeeded("b")),
                    failed("c")),
            row(
                    Phase.STOPPING,
                    "CancelRequested",
                    "",
                    Phase.ENDED,
                    "canceled",
                    STOPPING,
                    List.of(START, succeeded("a")),
                    CANCEL),
            row(
                    Phase.FAILING,
                    "StepEnded",
                    "it was the last, there are steps for that case",
                    Phase.HANDLING,
                    "jobs",
                    "steps: [{id: a, script: s.py}, {id: b, needs: [], script: s.py}]\n"
                            + "on_failure: {steps: [{id: h, script: s.py}]}",
                    List.of(START, failed("a")),
                    succeeded("b")),
            row(
                    Phase.HANDLING,
                    "Started",
                    "",
                    Phase.HANDLING,
                    "rejected: ALREADY_STARTED",
                    HANDLING,
                    List.of(START, failed("a")),
                    START),
            row(
                    Phase.HANDLING,
                    "StepEnded",
                    "succeeded, more can begin",
                    Phase.HANDLING,
                    "jobs",
                    HANDLING,
                    List.of(START, failed("a")),
                    succeeded("#failure.h")),
            row(
                    Phase.HANDLING,
                    "StepEnded",
                    "it was the last",
                    Phase.ENDED,
                    "failed",
                    HANDLING,
                    List.of(START, failed("a"), succeeded("#failure.h")),
                    succeeded("#failure.i")),
            row(
                    Phase.HANDLING,
                    "StepEnded",
                    "failed",
                    Phase.ENDED,
                    "failed",
                    HANDLING,
                    List.of(START, failed("a")),
                    failed("#failure.h")),
            row(
                    Phase.HANDLING,
                    "StepEnded",
                    "of a step that is not live",
                    Phase.HANDLING,
                    "rejected: STEP_NOT_LIVE",
                    HANDLING,
                    List.of(START, failed("a")),
                    failed("a")),
            row(
                    Phase.HANDLING,
                    "CancelRequested",
                    "",
                    Phase.ENDED,
                    "canceled",
                    HANDLING,
                    List.of(START, failed("a")),
                    CANCEL),
            row(
                    Phase.ENDED,
                    "Started",
                    "",
                    Phase.ENDED,
                    "rejected: RUN_ENDED",
                    TWO_STEPS,
                    List.of(START, CANCEL),
                    START),
            row(
                    Phase.ENDED,
                    "StepEnded",
                    "",
                    Phase.ENDED,
                    "rejected: RUN_ENDED",
                    TWO_STEPS,
                    List.of(START, CANCEL),
                    succeeded("a")),
            row(
                    Phase.NEW,
                    "SkipRequested",
                    "",
                    Phase.NEW,
                    "rejected: STEP_NOT_LIVE",
                    TWO_STEPS,
                    List.of(),
                    skipped("a")),
            row(
                    Phase.RUNNING,
                    "SkipRequested",
                    "of a live step, more can begin",
                    Phase.RUNNING,
                    "jobs",
                    TWO_STEPS,
                    List.of(START),
                    skipped("a")),
            row(
                    Phase.RUNNING,
                    "SkipRequested",
                    "of a step before which a wait is",
                    Phase.RUNNING,
                    "jobs",
                    "steps: [{id: a, script: s.py, delay: 5s}, {id: b, script: s.py}]",
                    List.of(START),
                    skipped("a")),
            row(
                    Phase.RUNNING,
                    "SkipRequested",
                    "it was the last",
                    Phase.ENDED,
                    "succeeded",
                    TWO_STEPS,
                    List.of(START, succeeded("a")),
                    skipped("b")),
            row(
                    Phase.RUNNING,
                    "SkipRequested",
                    "of a step that is not live",
                    Phase.RUNNING,
                    "rejected: STEP_NOT_LIVE",
                    TWO_STEPS,
                    List.of(START),
                    skipped("b")),
            row(
                    Phase.STOPPING,
                    "SkipRequested",
                    "it was the last",
                    Phase.ENDED,
                    "succeeded",
                    TWO_STOPPING,
                    List.of(START, succeeded("a")),
                    skipped("b")),
            row(
                    Phase.FAILING,
                    "SkipRequested",
                    "it was the last",
                    Phase.ENDED,
                    "failed",
                    TWO_AT_ONCE,
                    List.of(START, failed("a")),
                    skipped("b")),
            row(
                    Phase.HANDLING,
                    "SkipRequested",
                    "more can begin",
                    Phase.HANDLING,
                    "jobs",
                    HANDLING,
                    List.of(START, failed("a")),
                    skipped("#failure.h")),
            row(
                    Phase.ENDED,
                    "SkipRequested",
                    "",
                    Phase.ENDED,
                    "rejected: RUN_ENDED",
                    TWO_STEPS,
                    List.of(START, CANCEL),
                    skipped("a")),
            row(
                    Phase.ENDED,
                    "CancelRequested",
                    "",
                    Phase.ENDED,
                    "rejected: RUN_ENDED",
                    TWO_STEPS,
                    List.of(START, CANCEL),
                    CANCEL));

    private static final FlowEvent PAUSE = new FlowEvent.Paused();
    private static final FlowEvent RESUME = new FlowEvent.Resumed();

    /** How a run gets into a phase, and stays there. */
    private record Way(Phase phase, String flow, List<FlowEvent> history) {}

    private static final List<Way> WAYS = List.of(
            new Way(Phase.NEW, TWO_STEPS, List.of()),
            new Way(Phase.RUNNING, TWO_STEPS, List.of(START)),
            new Way(Phase.STOPPING, TWO_STOPPING, List.of(START, succeeded("a"))),
            new Way(Phase.FAILING, TWO_AT_ONCE, List.of(START, failed("a"))),
            new Way(Phase.HANDLING, HANDLING, List.of(START, failed("a"))),
            new Way(Phase.ENDED, TWO_STEPS, List.of(START, CANCEL)));

    private static final List<FlowEvent> PAUSED_FOR_A_STEP = List.of(START, PAUSE, succeeded("a"));

    private static final List<Transition> TRANSITIONS = Stream.of(
                    COURSES.stream(),
                    WAYS.stream().flatMap(way -> Stream.of(PAUSE, RESUME).map(event -> pause(way, event))),
                    Stream.of(
                            row(
                                    Phase.RUNNING,
                                    "StepEnded",
                                    "succeeded, more could begin, the run is paused",
                                    Phase.RUNNING,
                                    "nothing",
                                    TWO_STEPS,
                                    List.of(START, PAUSE),
                                    succeeded("a")),
                            row(
                                    Phase.RUNNING,
                                    "Resumed",
                                    "something was held back",
                                    Phase.RUNNING,
                                    "jobs",
                                    TWO_STEPS,
                                    PAUSED_FOR_A_STEP,
                                    RESUME)))
            .flatMap(rows -> rows)
            .toList();

    private static Transition pause(Way way, FlowEvent event) {
        String answer = way.phase() == Phase.ENDED ? "rejected: RUN_ENDED" : "nothing";
        return row(
                way.phase(),
                event.getClass().getSimpleName(),
                "",
                way.phase(),
                answer,
                way.flow(),
                way.history(),
                event);
    }

    private static Transition row(
            Phase from,
            String event,
            String condition,
            Phase to,
            String answer,
            String flow,
            List<FlowEvent> history,
            FlowEvent last) {
        return new Transition(from, event, condition, to, answer, flow, history, last);
    }

    @TestFactory
    Stream<DynamicTest> visits() {
        return TRANSITIONS.stream()
                .map(row -> DynamicTest.dynamicTest(
                        row.from() + " " + row.event() + " " + row.condition(), () -> visit(row)));
    }

    private static void visit(Transition row) {
        RunOfFlow run = new RunOfFlow(Flows.model(row.flow()), "{}");
        row.history().forEach(run::on);
        assertThat(run.state().phase()).isEqualTo(row.from());
        assertThat(row.last().getClass().getSimpleName()).isEqualTo(row.event());
        Decision decision = run.on(row.last());
        assertThat(run.state().phase()).isEqualTo(row.to());
        assertThat(words(decision)).isEqualTo(row.answer());
    }

    private static String words(Decision decision) {
        Optional<String> rejected = decision.rejection().map(reason -> "rejected: " + reason);
        Optional<String> ended =
                decision.end().map(end -> end.getClass().getSimpleName().toLowerCase(Locale.ROOT));
        return rejected.or(() -> ended).orElse(decision.jobs().isEmpty() ? "nothing" : "jobs");
    }

    @Test
    void leavesNoPhaseWithoutAnAnswerToAnyEvent() {
        Set<String> answered = new TreeSet<>();
        TRANSITIONS.forEach(row -> answered.add(row.from() + " " + row.event()));
        Set<String> all = new TreeSet<>();
        for (Phase phase : EnumSet.allOf(Phase.class)) {
            for (Class<?> event : FlowEvent.class.getPermittedSubclasses()) {
                all.add(phase + " " + event.getSimpleName());
            }
        }
        assertThat(answered).isEqualTo(all);
    }

    @Test
    void isDrawnInTheReference() throws IOException {
        String drawn = document();
        if (Boolean.getBoolean("millrace.docs.write")) {
            Files.writeString(DOCUMENT, drawn);
        }
        assertThat(DOCUMENT)
                .as("redraw with -Dmillrace.docs.write=true")
                .content()
                .isEqualTo(drawn);
    }

    private static String document() {
        StringBuilder text = new StringBuilder("""
                # States of a run of a flow

                Drawn by `FlowStatesTest` from the transitions it visits; do not edit.

                A step that fails (after its retries) starts nothing new inside the nearest boundary that tolerates failures: an iteration or a
                branch that skips them, a step that goes on after them or begins again, else the run. What runs inside the boundary finishes
                first; then the boundary ends, and what is outside of it goes on. An early end that a step asks for works alike. Only what the
                run itself is in is a phase below. The state is a fold over the rows of the finished steps and the keys of the live jobs, in
                any order; a row of kind `reset` voids all earlier rows at its key and below it. An operation that lets a
                part of the run be done again marks its resets: `KEY#redo` voids the step and all inside of it, what that did to variables
                included, and `KEY#reopen` only the end of the container, so that it goes on.

                Some waits in the queue stand for no step: `KEY#delay` before it, `KEY#limit` for the time limit of a container, and, while
                the run is paused, `KEY#hold` and `KEY#held` for what is held back, before and after the delay.

                ```mermaid
                stateDiagram-v2
                    [*] --> NEW
                """);
        Set<String> edges = new TreeSet<>();
        for (Transition row : TRANSITIONS) {
            if (!row.answer().startsWith("rejected")) {
                edges.add("    " + row.from() + " --> " + row.to() + ": " + row.event());
            }
        }
        edges.forEach(edge -> text.append(edge).append('\n'));
        text.append(
                "    ENDED --> [*]\n```\n\n| from | event | condition | to | decision |\n| --- | --- | --- | --- | --- |\n");
        for (Transition row : TRANSITIONS) {
            text.append("| ")
                    .append(row.from())
                    .append(" | ")
                    .append(row.event())
                    .append(" | ");
            text.append(row.condition()).append(" | ").append(row.to()).append(" | ");
            text.append(row.answer()).append(" |\n");
        }
        return text.toString();
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
