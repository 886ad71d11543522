package dev.millrace.scheduler.flow.core.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.flow.core.state.FlowState.Phase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Visits each transition of a run, and draws the table in {@code docs/reference/flow-states.md}. After a change, run
 * the test with {@code -Dmillrace.docs.write=true} to draw it again.
 */
class FlowStatesTest {
    private static final Path DOCUMENT = Path.of("../docs/reference/flow-states.md");

    @TestFactory
    Stream<DynamicTest> visits() {
        return FlowTransitions.ALL.stream()
                .map(row -> DynamicTest.dynamicTest(
                        row.from() + " " + row.event() + " " + row.condition(), () -> visit(row)));
    }

    private static void visit(FlowTransitions.Transition row) {
        RunOfFlow run = new RunOfFlow(Flows.model(row.way().flow()), "{}");
        row.way().history().forEach(run::on);
        assertThat(run.state().phase()).isEqualTo(row.from());
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
    void coversEachEventInEachPhase() {
        Set<String> answered = new TreeSet<>();
        FlowTransitions.ALL.forEach(row -> answered.add(row.from() + " " + row.event()));
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

                A run of a flow is in one of the phases below. This page lists how each event changes the phase.

                - **Boundaries**: a step that fails after its retries starts nothing new inside the nearest boundary that tolerates
                  failures. A boundary is an iteration or a branch that skips failures, a step that continues after a failure or is
                  retried, or the run. The steps inside the boundary finish first. Then the boundary ends, and the steps outside
                  continue. An early end works in the same way. The phases describe the run only, not the boundaries inside it.
                - **State**: the state is a fold over the rows of the finished steps and the keys of the live jobs, in any order.
                - **Resets**: a row of kind `reset` voids all earlier rows at its key and below it. If an operation runs a part of the
                  run again, it marks its resets. `KEY#redo` voids the step and everything inside it, including its changes of
                  variables. `KEY#reopen` voids only the end of the container, so that the container continues.
                - **Waits**: some waits in the queue belong to no step. `KEY#delay` is the delay before a step, and `KEY#limit` the time
                  limit of a container. While the run is paused, `KEY#hold` and `KEY#held` are the steps that the pause holds back,
                  before and after their delay.

                ```mermaid
                stateDiagram-v2
                    [*] --> NEW
                """);
        Set<String> edges = new TreeSet<>();
        for (FlowTransitions.Transition row : FlowTransitions.ALL) {
            if (!row.answer().startsWith("rejected")) {
                edges.add("    " + row.from() + " --> " + row.to() + ": " + row.event());
            }
        }
        edges.forEach(edge -> text.append(edge).append('\n'));
        text.append(
                "    ENDED --> [*]\n```\n\n| from | event | condition | to | decision |\n| --- | --- | --- | --- | --- |\n");
        for (FlowTransitions.Transition row : FlowTransitions.ALL) {
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
}
