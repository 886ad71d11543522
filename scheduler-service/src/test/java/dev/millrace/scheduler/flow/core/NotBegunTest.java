package dev.millrace.scheduler.flow.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class NotBegunTest {
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

    private static List<String> of(FlowModel model, String... live) {
        return NotBegun.of(model, Stream.of(live).map(StepKey::new).toList()).stream()
                .map(step -> step.step() + " needs "
                        + String.join(
                                " ", step.needs().stream().map(StepKey::text).toList()))
                .toList();
    }
}
