package dev.millrace.scheduler.flow.core.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.Outcome;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests modules of OpenFlow that end the list or container around them early. */
class OpenFlowEarlyStopTest {
    @Test
    void anEarlyStopBesideOthersEndsOnlyItsIterationOrBranch() {
        RunOfFlow run = OpenFlows.started("""
                modules:
                  - id: each
                    value:
                      type: forloopflow
                      parallel: true
                      iterator: {type: static, value: [1, 2]}
                      modules:
                        - {id: a, value: {type: script, path: a.py, input_transforms: {}}, stop_after_if: {expr: result < 0}}
                        - {id: b, value: {type: script, path: b.py, input_transforms: {}}}
                  - id: all
                    value:
                      type: branchall
                      branches:
                        - {modules: [{id: c, value: {type: script, path: a.py, input_transforms: {}}, stop_after_if: {expr: 'true'}},
                                     {id: d, value: {type: script, path: a.py, input_transforms: {}}}]}
                        - {modules: [{id: e, value: {type: script, path: a.py, input_transforms: {}}}]}
                  - {id: both, value: {type: script, path: a.py, input_transforms: {
                      each: {type: javascript, expr: results.each}, all: {type: javascript, expr: results.all}}}}
                """, "{}");
        run.succeed("each[0].a", "-1");
        run.succeed("each[1].a", "1");
        run.succeed("each[1].b", "2");
        run.succeed("all[0].c", "3");
        run.succeed("all[1].e", "4");
        assertThat(run.inputOf("both")).isEqualTo("{\"each\":[-1,2],\"all\":[3,4]}");
    }

    @Test
    void anEarlyStopInABranchOneBesideOthersEndsOnlyItsIterationOrBranch() {
        RunOfFlow run = OpenFlows.started("""
                modules:
                  - id: each
                    value:
                      type: forloopflow
                      parallel: true
                      iterator: {type: static, value: [1, 2]}
                      modules:
                        - id: one
                          value:
                            type: branchone
                            branches: []
                            default: [{id: a, value: {type: script, path: a.py, input_transforms: {}}, stop_after_if: {expr: result < 0}}]
                        - {id: b, value: {type: script, path: b.py, input_transforms: {}}}
                  - id: all
                    value:
                      type: branchall
                      branches:
                        - modules:
                            - id: two
                              value:
                                type: branchone
                                branches: []
                                default: [{id: c, value: {type: script, path: a.py, input_transforms: {}}, stop_after_if: {expr: 'true'}}]
                            - {id: d, value: {type: script, path: a.py, input_transforms: {}}}
                        - {modules: [{id: e, value: {type: script, path: a.py, input_transforms: {}}}]}
                  - {id: both, value: {type: script, path: a.py, input_transforms: {
                      each: {type: javascript, expr: results.each}, all: {type: javascript, expr: results.all}}}}
                """, "{}");
        run.succeed("each[0].one.a", "-1");
        run.succeed("each[1].one.a", "1");
        run.succeed("each[1].b", "2");
        run.succeed("all[0].two.c", "3");
        run.succeed("all[1].e", "4");
        assertThat(run.inputOf("both")).isEqualTo("{\"each\":[-1,2],\"all\":[3,4]}");
    }

    @Test
    void anEarlyStopInBranchesThatRunInTurnEndsThemAndWhatIsAroundWithTheirArraySoFar() {
        String branchall = """
                {id: all, value: {type: branchall, parallel: false, branches: [
                   {modules: [{id: a, value: {type: script, path: a.py, input_transforms: {}}, stop_after_if: {expr: result == 1}},
                              {id: b, value: {type: script, path: a.py, input_transforms: {}}}]},
                   {modules: [{id: one, value: {type: branchone, branches: [], default: [
                      {id: c, value: {type: script, path: a.py, input_transforms: {}}, stop_after_if: {expr: result == -123}}]}}]}]}}""";
        String after = "{id: after, value: {type: script, path: a.py, input_transforms: {}}}";
        RunOfFlow first = OpenFlows.started("modules: [" + branchall + ", " + after + "]", "{}");
        first.succeed("all[0].a", "1");
        assertThat(first.output()).isEqualTo("[1]");

        RunOfFlow last = OpenFlows.started("modules: [" + branchall + ", " + after + "]", "{}");
        last.succeed("all[0].a", "0");
        last.succeed("all[0].b", "2");
        last.succeed("all[1].one.c", "-123");
        assertThat(last.output()).isEqualTo("[2,-123]");

        String loop =
                "{id: loop, value: {type: forloopflow, parallel: %s, iterator: {type: static, value: [1, 2]}, modules: ["
                        + branchall + ", " + after + "]}}, {id: end, value: {type: identity}}";
        RunOfFlow left = OpenFlows.started("modules: [" + loop.formatted("false") + "]", "{}");
        left.succeed("loop[0].all[0].a", "1");
        assertThat(left.output()).isEqualTo("[[1]]");

        RunOfFlow beside = OpenFlows.started("modules: [" + loop.formatted("true") + "]", "{}");
        beside.succeed("loop[0].all[0].a", "1");
        beside.succeed("loop[1].all[0].a", "0");
        beside.succeed("loop[1].all[0].b", "2");
        beside.succeed("loop[1].all[1].one.c", "3");
        beside.succeed("loop[1].after", "4");
        assertThat(beside.output()).isEqualTo("[[1],4]");

        RunOfFlow nested = OpenFlows.started(
                "modules: [{id: outer, value: {type: branchall, parallel: false, branches: [{modules: [" + branchall
                        + "]}, {modules: []}]}}, " + after + "]",
                "{}");
        nested.succeed("outer[0].all[0].a", "1");
        assertThat(nested.output()).isEqualTo("[[1]]");
    }

    @Test
    void anEarlyStopWithAnErrorLeavesALoopAndBranchesInTurnThatSkipFailures() {
        String step = "{id: a, value: {type: script, path: a.py, input_transforms: {}},"
                + " stop_after_if: {expr: result == 1, error_message: enough}}";
        RunOfFlow loop = OpenFlows.started(
                "modules: [{id: loop, value: {type: forloopflow, skip_failures: true, iterator: {type: static, value: [1, 2, 3]}, modules: ["
                        + step + "]}}, {id: last, value: {type: identity}}]",
                "{}");
        loop.succeed("loop[0].a", "0");
        loop.succeed("loop[1].a", "1");
        assertThat(loop.output()).startsWith("[0,{\"error\":{").contains("enough");

        RunOfFlow branches = OpenFlows.started(
                "modules: [{id: all, value: {type: branchall, parallel: false, branches: [{skip_failure: true, modules: ["
                        + step
                        + "]}, {modules: [{id: b, value: {type: script, path: a.py, input_transforms: {}}}]}]}},"
                        + " {id: last, value: {type: script, path: a.py, input_transforms: {}}}]",
                "{}");
        branches.succeed("all[0].a", "1");
        assertThat(branches.output()).startsWith("[{\"error\":{").contains("enough");
    }

    @Test
    void anEarlyStopOfALoopSeesAllItsIterationsSoFar() {
        for (String kind : List.of("forloopflow, iterator: {type: static, value: [1, 2, 3]}", "whileloopflow")) {
            RunOfFlow run = OpenFlows.started(
                    "modules: [{id: loop, stop_after_if: {expr: 'all_iters.length == 2 && all_iters[0] + result == 30'}, value: {type: "
                            + kind
                            + ", modules: [{id: a, value: {type: script, path: a.py, input_transforms: {}}}]}}]",
                    "{}");
            run.succeed("loop[0].a", "10");
            run.succeed("loop[1].a", "20");
            assertThat(run.output()).isEqualTo("[10,20]");
        }
    }

    @Test
    void stopsAfterAllBranchesOrIterationsWithTheirArray() {
        String a = "{id: a, value: {type: script, path: a.py, input_transforms: {}}}";
        String after = "{id: after, value: {type: script, path: b.py, input_transforms: {}}}";
        for (String value : List.of(
                "{type: branchall, branches: [{modules: [" + a + "]}]}",
                "{type: branchall, parallel: false, branches: [{modules: [" + a + "]}]}",
                "{type: forloopflow, parallel: true, iterator: {type: static, value: [1]}, modules: [" + a + "]}")) {
            String flow =
                    "modules: [{id: all, stop_after_all_iters_if: {expr: 'result[0] == 1 && previous_result.length == 1'}, value: "
                            + value + "}, " + after + "]";
            RunOfFlow stopped = OpenFlows.started(flow, "{}");
            stopped.succeed("all[0].a", "1");
            assertThat(stopped.output()).isEqualTo("[1]");
            RunOfFlow other = OpenFlows.started(flow, "{}");
            other.succeed("all[0].a", "2");
            assertThat(other.inProgress()).containsExactly("after");
        }
    }

    @Test
    void theErrorOfAnEarlyStopHasTheResultOnRequest() {
        String flow = """
                value:
                  modules:
                    - id: each
                      continue_on_error: true
                      value:
                        type: forloopflow
                        iterator: {type: static, value: [1]}
                        modules:
                          - {id: a, value: {type: script, path: a.py, input_transforms: {}},
                             stop_after_if: {expr: result.bad, error_message: 'too bad', error_include_result: true}}
                    - {id: b, value: {type: script, path: b.py, input_transforms: {e: {type: javascript, expr: results.each.error}}},
                       stop_after_if: {expr: 'true', error_message: '', error_include_result: true}}
                  failure_module: {id: failure, value: {type: script, path: c.py, input_transforms: {e: {type: javascript, expr: error}}}}
                """;
        RunOfFlow run = OpenFlows.started(flow, "{}");
        run.succeed("each[0].a", "{\"bad\": [1]}");
        assertThat(run.inputOf("b"))
                .contains("\"name\":\"EarlyStopError\",\"message\":\"too bad\"")
                .contains("\"result\":{\"bad\": [1]}");
        run.succeed("b", "7");
        assertThat(run.inputOf("#failure.failure"))
                .contains("\"message\":\"stop after if: true\"")
                .contains("\"step_id\":\"b\",\"result\":7");
        run.succeed("#failure.failure", "null");
        assertThat(run.end())
                .hasValueSatisfying(end ->
                        assertThat(((Outcome.Failed) end).error().result()).contains(new Json("7")));

        RunOfFlow without = OpenFlows.started(flow.replace(", error_include_result: true", ""), "{}");
        without.succeed("each[0].a", "{\"bad\": [1]}");
        assertThat(without.inputOf("b")).doesNotContain("\"result\"");
    }

    @Test
    void aStopThatSkipsTheRestIsNoFailure() {
        RunOfFlow run = OpenFlows.started("""
                modules:
                  - {id: a, value: {type: script, path: a.py, input_transforms: {}},
                     stop_after_if: {expr: 'result > 1', skip_if_stopped: true, error_message: 'too many'}}
                  - {id: b, value: {type: script, path: b.py, input_transforms: {}}}
                """, "{}");
        run.succeed("a", "2");
        assertThat(run.output()).isEqualTo("2");
    }
}
