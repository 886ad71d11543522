package dev.millrace.scheduler.flow.core.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.flow.dialect.Compilation;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Runs OpenFlow definitions whose modules fail although the flow is to continue. */
class OpenFlowFailureTest {
    private static final String LAST =
            "{id: last, continue_on_error: true, value: {type: script, path: a.py, input_transforms: {}}}";
    private static final String READ =
            "{id: read, value: {type: script, path: b.py, input_transforms: {x: {type: javascript, expr: previous_result}}}}";

    @Test
    void aFlowSucceedsThoughItsLastModuleFails() {
        RunOfFlow run = OpenFlows.started("modules: [" + LAST + "]", "{}");
        run.fail("last", "broken");
        assertThat(run.output()).startsWith("{\"error\":").contains("broken");
    }

    @Test
    void noFailureModuleRunsForALastModuleThatContinuesOnErrors() {
        String definition = "{modules: [" + LAST
                + "], failure_module: {id: failure, value: {type: script, path: c.py, input_transforms: {}}}}";
        RunOfFlow run = OpenFlows.started(definition, "{}");
        run.fail("last", "broken");
        assertThat(run.output()).contains("broken");
        assertThat(((Compilation.Compiled) OpenFlows.compile(definition)).warnings())
                .isEmpty();
    }

    @Test
    void anIterationSucceedsThoughItsLastModuleFails() {
        for (String kind : new String[] {"parallel: true", "parallel: false"}) {
            RunOfFlow run = OpenFlows.started(
                    "modules: [{id: each, value: {type: forloopflow, skip_failures: false, " + kind
                            + ", iterator: {type: static, value: [1, 2]}, modules: [" + LAST + "]}}, " + READ + "]",
                    "{}");
            run.fail("each[0].last", "first");
            run.fail("each[1].last", "second");
            assertThat(run.inputOf("read")).startsWith("{\"x\":[{\"error\":").contains("first", "second");
        }
    }

    @Test
    void anIterationOfAWhileLoopSucceedsThoughItsLastModuleFails() {
        RunOfFlow run = OpenFlows.started(
                "modules: [{id: each, value: {type: whileloopflow, skip_failures: false, modules: [" + LAST
                        + "]}, stop_after_if: {expr: flow_input.iter.index == 1}}, " + READ + "]",
                "{}");
        run.fail("each[0].last", "first");
        run.fail("each[1].last", "second");
        assertThat(run.inputOf("read")).contains("first", "second");
    }

    @Test
    void aBranchSucceedsThoughItsLastModuleFails() {
        for (String kind : new String[] {"parallel: true", "parallel: false"}) {
            RunOfFlow all = OpenFlows.started(
                    "modules: [{id: all, value: {type: branchall, " + kind
                            + ", branches: [{skip_failure: false, modules: [" + LAST
                            + "]}, {modules: [{id: two, value: {type: identity}}]}]}}, " + READ + "]",
                    "{\"n\": 2}");
            all.fail("all[0].last", "broken");
            assertThat(all.inputOf("read"))
                    .startsWith("{\"x\":[{\"error\":")
                    .contains("broken")
                    .contains("{\"n\": 2}]");
        }
        for (String branch : new String[] {
            "branches: [], default: [" + LAST + "]", "branches: [{expr: 'true', modules: [" + LAST + "]}], default: []"
        }) {
            RunOfFlow one = OpenFlows.started(
                    "modules: [{id: one, value: {type: branchone, " + branch + "}}, " + READ + "]", "{}");
            one.fail("one.last", "broken");
            assertThat(one.inputOf("read")).startsWith("{\"x\":{\"error\":").contains("broken");
        }
    }

    @Test
    void aFlowInsideSucceedsThoughItsLastModuleFails() {
        RunOfFlow run = OpenFlows.started(
                "modules: [{id: call, value: {type: flow, path: inner, input_transforms: {}}}, " + READ + "]",
                "{}",
                Map.of("inner", "modules: [" + LAST + "]"));
        run.fail("call.last", "broken");
        assertThat(run.inputOf("read")).startsWith("{\"x\":{\"error\":").contains("broken");
    }

    @Test
    void aLastModuleContinuesOnlyAfterItsRetries() {
        RunOfFlow run = OpenFlows.started(
                "modules: [{id: one, continue_on_error: true, retry: {constant: {attempts: 1, seconds: 0}}, "
                        + "value: {type: branchone, branches: [], default: [{id: a, value: {type: script, path: a.py, input_transforms: {}}}]}}]",
                "{}");
        run.fail("one.a", "first");
        run.fail("one.a", "second");
        assertThat(run.output()).contains("second");
    }
}
