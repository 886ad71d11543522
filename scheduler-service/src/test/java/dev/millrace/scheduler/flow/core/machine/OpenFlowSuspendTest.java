package dev.millrace.scheduler.flow.core.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.queue.core.JobError;
import org.junit.jupiter.api.Test;

/** Runs OpenFlow definitions whose modules ask people, through the compiler and the machine. */
class OpenFlowSuspendTest {
    private static final String READ = "{id: read, value: {type: script, path: b.py, input_transforms: {"
            + "resume: {type: javascript, expr: resume}, resumes: {type: javascript, expr: resumes},"
            + " approvers: {type: javascript, expr: approvers}, before: {type: javascript, expr: previous_result}}}}";
    private static final String NOBODY = "{\"resume\":null,\"resumes\":[],\"approvers\":[],";

    private static String asking(String settings) {
        return "{id: ask, " + settings
                + ", suspend: {required_events: 1}, value: {type: script, path: a.py, input_transforms: {}}}";
    }

    @Test
    void aModuleThatSucceededWaits() {
        RunOfFlow run = OpenFlows.started("modules: [" + asking("summary: Ask") + ", " + READ + "]", "{}");
        run.succeed("ask", "1");
        assertThat(run.inProgress()).containsExactly("ask_suspend");
        run.succeed("ask_suspend", "{\"payload\":{\"ok\":true},\"payloads\":[{\"ok\":true}],\"approvers\":[\"Ada\"]}");
        assertThat(run.inputOf("read"))
                .isEqualTo(
                        "{\"resume\":{\"ok\":true},\"resumes\":[{\"ok\":true}],\"approvers\":[\"Ada\"],\"before\":1}");
    }

    @Test
    void aSkippedModuleWaitsForNobody() {
        RunOfFlow run = OpenFlows.started(
                "modules: [" + asking("skip_if: {expr: flow_input.auto}") + ", " + READ + "]", "{\"auto\": true}");
        assertThat(run.inputOf("read")).isEqualTo(NOBODY + "\"before\":{\"auto\": true}}");
    }

    @Test
    void aSkippedLastModuleWaitsForNobody() {
        RunOfFlow run =
                OpenFlows.started("modules: [" + asking("skip_if: {expr: flow_input.auto}") + "]", "{\"auto\": true}");
        assertThat(run.output()).isEqualTo("{\"auto\": true}");

        RunOfFlow inside = OpenFlows.started(
                "modules: [{id: one, value: {type: branchone, branches: [], default: ["
                        + asking("skip_if: {expr: flow_input.auto}") + "]}}, " + READ + "]",
                "{\"auto\": true}");
        assertThat(inside.inputOf("read")).contains("\"before\":{\"auto\": true}");
    }

    @Test
    void aFailedModuleWaitsForNobodyThoughTheFlowContinues() {
        RunOfFlow run = OpenFlows.started("modules: [" + asking("continue_on_error: true") + ", " + READ + "]", "{}");
        run.fail("ask", "broken");
        assertThat(run.inputOf("read"))
                .startsWith(NOBODY + "\"before\":{\"error\":")
                .contains("broken");
    }

    @Test
    void aResultThatLooksLikeAFailureDoesNotOpenTheGate() {
        RunOfFlow run = OpenFlows.started("modules: [" + asking("continue_on_error: true") + ", " + READ + "]", "{}");
        run.succeed(
                "ask",
                "{\"error\": {\"name\": \"E\", \"message\": \"broken\", \"stack\": null, \"step_id\": \"ask\"}}");
        assertThat(run.inProgress()).containsExactly("ask_suspend");
    }

    @Test
    void aModuleThatIsSkippedInOneIterationWaitsInTheOther() {
        RunOfFlow run = OpenFlows.started(
                "modules: [{id: each, value: {type: forloopflow, skip_failures: false, parallel: true,"
                        + " iterator: {type: static, value: [true, false]}, modules: ["
                        + asking("skip_if: {expr: flow_input.iter.value}") + "]}}]",
                "{}");
        run.succeed("each[1].ask", "1");
        assertThat(run.inProgress()).containsExactly("each[1].ask_suspend");
        run.succeed("each[1].ask_suspend", "{\"payload\":null,\"payloads\":[null],\"approvers\":[\"Ada\"]}");
        assertThat(run.output()).isEqualTo("[{},1]");
    }

    @Test
    void aMockedModuleWaits() {
        RunOfFlow run = OpenFlows.started("modules: [" + asking("mock: {enabled: true, return_value: 7}") + "]", "{}");
        assertThat(run.inProgress()).containsExactly("ask_suspend");
    }

    @Test
    void aLoopWithAToleratedFailureWaits() {
        RunOfFlow run = OpenFlows.started(
                "modules: [{id: each, suspend: {required_events: 1}, value: {type: forloopflow, skip_failures: true,"
                        + " iterator: {type: static, value: [1]}, modules: [{id: a, value: {type: script, path: a.py, input_transforms: {}}}]}}]",
                "{}");
        run.fail("each[0].a", "broken");
        assertThat(run.inProgress()).containsExactly("each_suspend");
    }

    @Test
    void withoutRequiredEventsNothingWaits() {
        for (String suspend : new String[] {"{}", "{required_events: 0}", "{timeout: 60}"}) {
            RunOfFlow run = OpenFlows.started(
                    "modules: [{id: a, suspend: " + suspend + ", value: {type: identity}}]", "{\"n\": 1}");
            assertThat(run.output()).isEqualTo("{\"n\": 1}");
        }
    }

    @Test
    void theSleepOfALastModuleDelaysTheEnd() {
        RunOfFlow run = OpenFlows.started(
                "modules: [{id: a, value: {type: script, path: a.py, input_transforms: {}},"
                        + " sleep: {type: javascript, expr: previous_result}}]",
                "{}");
        run.succeed("a", "5");
        assertThat(run.inProgress()).containsExactly("a_sleep");
        run.succeed("a_sleep", "null");
        assertThat(run.output()).isEqualTo("5");
    }

    @Test
    void everyModuleReadsThatNobodyResumed() {
        RunOfFlow run = OpenFlows.started("modules: [" + READ + "]", "{}");
        assertThat(run.inputOf("read")).startsWith(NOBODY);
    }

    @Test
    void aGateThatEndsWithoutApprovalTellsWhy() {
        String flow = "modules: [{id: ask, value: {type: identity}, suspend: {required_events: 1,"
                + " continue_on_disapprove_timeout: true}}, " + READ + "]";
        RunOfFlow denied = OpenFlows.started(flow, "{}");
        denied.succeed(
                "ask_suspend",
                "{\"payload\":\"no\",\"payloads\":[],\"approvers\":[],\"denied\":true,\"denied_by\":\"Ada\"}");
        assertThat(denied.inputOf("read")).contains("\"name\":\"SuspendedDisapproved\"");
        RunOfFlow late = OpenFlows.started(flow, "{}");
        late.succeed("ask_suspend", "{\"payload\":null,\"payloads\":[],\"approvers\":[],\"timed_out\":true}");
        String error = "{\"error\":{\"message\":\"Timed out waiting to be resumed\",\"name\":\"SuspendedTimedOut\"}}";
        assertThat(late.inputOf("read"))
                .startsWith("{\"resume\":" + error + ",\"resumes\":[" + error + "],\"approvers\":[],");
    }

    @Test
    void aFailureModuleTellsADenialFromATimeoutByWindmillsNames() {
        String flow = "modules: [{id: each, value: {type: forloopflow, iterator: {type: static, value: [1]}, modules: ["
                + "{id: ask, value: {type: identity}, suspend: {required_events: 1}},"
                + " {id: slow, value: {type: script, path: a.py, input_transforms: {}}}]}}]\n"
                + "failure_module: {id: failure, value: {type: script, path: c.py, input_transforms: {"
                + "name: {type: javascript, expr: error.name}, error: {type: javascript, expr: error},"
                + " result: {type: javascript, expr: previous_result.error.name}}}}";
        for (String[] names : new String[][] {
            {"each[0].ask_suspend", "Denied", "SuspendedDisapproved"},
            {"each[0].ask_suspend", "TimedOut", "SuspendedTimedOut"},
            {"each[0].ask_suspend", "RunTooLarge", "RunTooLarge"},
            {"each[0].slow", "TimedOut", "TimedOut"}
        }) {
            RunOfFlow run = OpenFlows.started(flow, "{}");
            if (names[0].endsWith("slow")) {
                run.succeed("each[0].ask_suspend", "{\"payload\":null,\"payloads\":[],\"approvers\":[]}");
            }
            run.fail(names[0], JobError.permanent(names[1], "because"));
            assertThat(run.inputOf("#failure.failure"))
                    .startsWith("{\"name\":\"" + names[2] + "\",\"error\":{\"name\":\"" + names[2]
                            + "\",\"message\":\"because\"")
                    .endsWith("\"result\":\"" + names[2] + "\"}");
        }
    }
}
