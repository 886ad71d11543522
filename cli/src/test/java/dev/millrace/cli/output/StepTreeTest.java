package dev.millrace.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.Run;
import dev.millrace.cli.client.Step;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class StepTreeTest {
    private final StepTree tree = new StepTree();

    @Test
    void drawsSequenceLoopAndFailure() {
        step("split", "script", "succeeded", "\"run_duration\":\"0.012s\"");
        step("count", "for_each", "running", "\"attempt\":1");
        step("count[0]", "script", "succeeded", "\"run_duration\":\"0.1204s\"");
        step("count[2]", "script", "failed", "\"error\":{\"name\":\"ValueError\",\"message\":\"No.\\nReally.\"}");
        step("count[1]", "script", "running", "\"attempt\":2");

        assertThat(draw(100)).isEqualTo("""
                ● wordcount  running
                ├─ ✔ split  12 ms
                └─ ● count  1 done, 1 failed, 1 in progress
                   ├─ ✔ [0]  120 ms
                   ├─ ● [1]  attempt 2
                   └─ ✘ [2]  ValueError: No.
                """);
    }

    @Test
    void saysWhichResultsWereKeptAndWhichAreGone() {
        step("known", "script", "succeeded", "\"from_cache\":true");
        step("secret", "script", "succeeded", "\"run_duration\":\"0.012s\",\"erased\":true");

        assertThat(draw(100)).isEqualTo("""
                ● wordcount  running
                ├─ ✔ known  from the cache
                └─ ✔ secret  12 ms  erased
                """);
    }

    @Test
    void drawsNestedSteps() {
        step("route", "switch", "succeeded", "\"attempt\":1");
        step("route.left", "script", "succeeded", "\"attempt\":1");
        step("each[0].a", "script", "succeeded", "\"attempt\":1");
        step("each[0].b", "script", "running", "\"attempt\":1");
        step("last", "script", "queued", "\"attempt\":1");

        assertThat(draw(100)).isEqualTo("""
                ● wordcount  running
                ├─ ✔ route  1 done
                │  └─ ✔ left
                ├─ ● each  1 in progress
                │  └─ ● [0]  1 done, 1 in progress
                │     ├─ ✔ a
                │     └─ ● b
                └─ ○ last
                """);
    }

    @Test
    void showsOnlyWhatMattersOfALongLoop() {
        for (int i = 0; i < 20; i++) {
            step("count[" + i + "]", "script", i == 7 ? "running" : "succeeded", "\"attempt\":1");
        }

        assertThat(draw(5)).isEqualTo("""
                ● wordcount  running
                └─ ● count  19 done, 1 in progress
                   ├─ ● [7]
                   └─ … 19 more
                """);
    }

    @Test
    void namesBranchesBesideTheirNumbers() {
        step("both", "parallel", "failed", "\"attempt\":1");
        step("both[0].z", "script", "succeeded", "\"attempt\":1");
        step("both[1].y", "script", "failed", "\"attempt\":1");
        tree.nameBranches(() -> new BranchKeys(Map.of("both", List.of("sub", "other"))));

        assertThat(draw(5)).contains("✔ [0] sub  1 done\n", "✘ [1] other  1 failed\n");
    }

    @Test
    void countsTheIterationsThatHaveNotBegun() {
        step("greet", "for_each", "failed", "\"attempt\":1");
        step("greet[0]", "script", "succeeded", "\"attempt\":1");
        step("greet[1]", "script", "failed", "\"attempt\":1");
        tree.putTotal("greet", 3);

        assertThat(draw(5)).contains("✘ greet  1 done, 1 failed, 1 not begun\n");
    }

    @Test
    void doesNotCountWhatRanBeforeARerun() {
        step(
                "split",
                "script",
                "succeeded",
                "\"run_duration\":\"3s\",\"start_time\":\"2026-01-01T00:00:01Z\",\"end_time\":\"2026-01-01T00:00:04Z\"");
        step(
                "count",
                "for_each",
                "succeeded",
                "\"run_duration\":\"61s\",\"start_time\":\"2026-01-01T00:00:04Z\",\"end_time\":\"2026-01-01T00:01:05Z\"");
        Run rerun = Run.of(json("""
                {"id":"r2","name":"wordcount","state":"succeeded","create_time":"2026-01-01T00:01:00Z",
                 "wait_duration":"0.5s","run_duration":"4.5s","origin":{"run_id":"r1","relation":"rerun","step":"count"}}"""));

        assertThat(tree.lines(Optional.of(rerun), Paint.NONE, 5))
                .containsExactly(
                        "✔ wordcount  succeeded in 4.50 s + 500 ms queued", "├─ ✔ split  reused", "└─ ✔ count  5.00 s");
    }

    @Test
    void fitsIntoAScreenByShowingWhatRunsAndFailed() {
        step("first", "script", "succeeded", "\"attempt\":1");
        for (int i = 0; i < 6; i++) {
            step("count[" + i + "].a", "script", "succeeded", "\"attempt\":1");
            step("count[" + i + "].b", "script", i == 4 ? "running" : "succeeded", "\"attempt\":1");
        }
        step("last", "script", "queued", "\"attempt\":1");

        assertThat(tree.lines(Optional.empty(), Paint.NONE, 8, 100)).hasSize(21);
        assertThat(tree.lines(Optional.empty(), Paint.NONE, 8, 10))
                .containsExactly(
                        "├─ ● count  5 done, 1 in progress",
                        "│  ├─ ● [4]  1 done, 1 in progress",
                        "│  │  ├─ ● b",
                        "│  │  └─ … 1 more",
                        "│  └─ … 5 more",
                        "└─ … 2 more");
        assertThat(tree.lines(Optional.empty(), Paint.NONE, 8, 3)).hasSize(3);
    }

    @Test
    void tellsWhetherAStepHasChanged() {
        assertThat(step("split", "script", "queued", "\"attempt\":1")).isTrue();
        assertThat(step("split", "script", "queued", "\"attempt\":1")).isFalse();
        assertThat(step("split", "script", "running", "\"attempt\":1")).isTrue();
    }

    private boolean step(String key, String kind, String state, String more) {
        return tree.put(Step.of(
                json("{\"key\":\"%s\",\"kind\":\"%s\",\"state\":\"%s\",%s}".formatted(key, kind, state, more))));
    }

    private String draw(int childrenMax) {
        Run run = Run.of(json("{\"id\":\"r1\",\"name\":\"wordcount\",\"state\":\"running\"}"));
        return String.join("\n", tree.lines(Optional.of(run), Paint.NONE, childrenMax)) + "\n";
    }

    private static JsonNode json(String text) {
        return Json.parse(text).orElseThrow();
    }
}
