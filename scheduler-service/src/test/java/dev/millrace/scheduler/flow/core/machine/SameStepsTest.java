package dev.millrace.scheduler.flow.core.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.flow.core.graph.StepKey;
import dev.millrace.scheduler.flow.core.state.FinishedStep;
import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.JobKind;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.Outcome;
import java.util.Arrays;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests which steps two versions of a flow have in common. */
class SameStepsTest {
    private static final String ROWS =
            "a, loop#open, loop[0], loop[0].x, pick#open, pick.left, gone, gone[0], #failure.t";

    private static final String BEFORE = """
            steps:
              - {id: a, script: s.py}
              - {id: loop, for_each: [1], steps: [{id: x, script: s.py}, {id: y, script: s.py}]}
              - id: pick
                switch:
                  value: ${{ 1 }}
                  cases: [{equals: 1, steps: [{id: left, script: s.py}]}]
                  default: {steps: [{id: right, script: s.py}]}
              - {id: gone, for_each: [1], script: s.py}
            """;

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            'a is renamed' | loop#open, loop[0], loop[0].x, pick#open, pick.left, gone, gone[0]
            'a is a wait'  | loop#open, loop[0], loop[0].x, pick#open, pick.left, gone, gone[0]
            'loop is one'  | a, pick#open, pick.left, gone, gone[0]
            'branches swap'| a, loop#open, loop[0], loop[0].x, gone, gone[0]
            'gone is gone' | a, loop#open, loop[0], loop[0].x, pick#open, pick.left
            'y is new'     | a, loop#open, loop[0], loop[0].x, pick#open, pick.left, gone, gone[0]
            """)
    void keepsWhatBothHave(String change, String kept) {
        String after = switch (change) {
            case "a is renamed" -> BEFORE.replace("- {id: a, script: s.py}", "- {id: b, script: other.py}");
            case "a is a wait" -> BEFORE.replace("- {id: a, script: s.py}", "- {id: a, wait: {signal: go}}");
            case "loop is one" ->
                BEFORE.replace("steps: [{id: x, script: s.py}, {id: y, script: s.py}]", "script: s.py");
            case "branches swap" -> BEFORE.replace("id: left", "id: was").replace("id: right", "id: left");
            case "gone is gone" -> BEFORE.replace("  - {id: gone, for_each: [1], script: s.py}\n", "");
            default -> BEFORE.replace("{id: y, script: s.py}", "{id: z, script: s.py}");
        };
        var rows = Arrays.stream(ROWS.split(", "))
                .map(key -> new FinishedStep(
                        new JobId(new UUID(1, 1)), JobKind.SCRIPT, new StepKey(key), new Outcome.Succeeded(Json.NULL)))
                .toList();

        var same = new SameSteps(Flows.model("name: f\n" + BEFORE), Flows.model("name: f\n" + after)).keep(rows);

        assertThat(same.stream().map(row -> row.key().text())).containsExactly(kept.split(", "));
    }
}
