package dev.millrace.scheduler.flow.core.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.flow.core.graph.FlowModel;
import dev.millrace.scheduler.flow.core.graph.StepKey;
import dev.millrace.scheduler.flow.core.state.FinishedStep;
import dev.millrace.scheduler.flow.core.state.NotBegun;
import dev.millrace.scheduler.flow.core.state.UnbegunSteps;
import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.JobKind;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.Outcome;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class UnbegunStepsTest {
    @Test
    void followsWhatIsLiveInEachListAroundIt() {
        FlowModel model = Flows.model("""
                name: nested
                steps:
                  - {id: first, script: a.py}
                  - id: loop
                    for_each: [1, 2, 3]
                    parallelism: 3
                    steps:
                      - {id: x, script: a.py}
                      - id: choose
                        switch:
                          value: 1
                          cases:
                            - equals: 1
                              steps:
                                - {id: y, script: a.py}
                                - {id: z, script: a.py}
                  - {id: each, for_each: [1], script: a.py}
                  - {id: last, script: a.py}
                """);

        assertThat(of(model, "loop[0].x", "loop[2].choose.y"))
                .containsExactly(
                        "each needs loop",
                        "last needs each",
                        "loop[0].choose needs loop[0].x",
                        "loop[2].choose.z needs loop[2].choose.y");
        assertThat(of(model, "first")).containsExactly("loop needs first", "each needs loop", "last needs each");
        assertThat(of(model, "each[0]#delay")).containsExactly("last needs each");
        assertThat(of(model, "last")).isEmpty();
    }

    @Test
    void knowsTheStepsForAFailure() {
        FlowModel model = Flows.model("""
                name: failed
                steps:
                  - {id: a, script: a.py}
                  - {id: b, script: a.py}
                on_failure:
                  steps:
                    - {id: tell, script: a.py}
                    - {id: clean, script: a.py}
                """);

        assertThat(of(model, "#failure.tell")).containsExactly("#failure.clean needs #failure.tell");
    }

    @Test
    void asksWhetherAStepThatMayBeginEarlyHasEnded() {
        FlowModel model = Flows.model("""
                name: early
                steps:
                  - {id: slow, script: a.py}
                  - {id: quick, needs: [], script: a.py}
                  - {id: either, needs: [slow, quick], begin_if: "${{ steps.quick?.result }}", script: a.py}
                  - {id: next, script: a.py}
                  - {id: last, needs: [slow, next], script: a.py}
                """);
        UnbegunSteps steps = UnbegunSteps.of(model, List.of(new StepKey("slow")));

        assertThat(steps.perhapsEnded()).containsExactly(new StepKey("either"));
        assertThat(words(steps.find(Set.of(), 10).first()))
                .containsExactly("either may need slow", "next needs either", "last needs slow next");
        assertThat(words(steps.find(Set.of(new StepKey("either")), 10).first())).containsExactly("last needs slow");
        assertThat(of(model, "slow", "either")).containsExactly("next needs either", "last needs slow next");
    }

    @Test
    void countsStepsBeyondTheLimit() {
        FlowModel model = Flows.model("""
                name: many
                steps:
                  - id: loop
                    for_each: [1, 2, 3]
                    parallelism: 3
                    steps: [{id: a, script: a.py}, {id: b, script: a.py}]
                """);
        UnbegunSteps steps = UnbegunSteps.of(
                model, List.of(new StepKey("loop[0].a"), new StepKey("loop[1].a"), new StepKey("loop[2].b")));

        UnbegunSteps.Found found = steps.find(Set.of(), 1);

        assertThat(words(found.first())).containsExactly("loop[0].b needs loop[0].a");
        assertThat(found.total()).isEqualTo(2);
    }

    @Test
    void ignoresEndsThatWereVoided() {
        FinishedStep end = row(1, JobKind.COMPUTE, "early");
        FinishedStep reset = row(2, JobKind.RESET, "early#redo");
        FinishedStep again = row(3, JobKind.COMPUTE, "early");

        assertThat(UnbegunSteps.ended(List.of(end))).containsExactly(new StepKey("early"));
        assertThat(UnbegunSteps.ended(List.of(end, reset))).isEmpty();
        assertThat(UnbegunSteps.ended(List.of(end, reset, again))).containsExactly(new StepKey("early"));
    }

    private static FinishedStep row(long id, JobKind kind, String key) {
        return new FinishedStep(new JobId(new UUID(id, 0)), kind, new StepKey(key), new Outcome.Succeeded(Json.NULL));
    }

    private static List<String> of(FlowModel model, String... live) {
        UnbegunSteps steps =
                UnbegunSteps.of(model, Stream.of(live).map(StepKey::new).toList());
        return words(steps.find(Set.of(), Integer.MAX_VALUE).first());
    }

    private static List<String> words(List<NotBegun> steps) {
        return steps.stream()
                .map(step -> step.step()
                        + (step.mayBeginEarly() ? " may need " : " needs ")
                        + String.join(
                                " ", step.needs().stream().map(StepKey::text).toList()))
                .toList();
    }
}
