package dev.millrace.scheduler.start;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.proto.run.v1.ListStepsRequest;
import dev.millrace.proto.run.v1.Run;
import dev.millrace.proto.run.v1.Step;
import dev.millrace.scheduler.testing.FlowRuns;
import dev.millrace.scheduler.testing.RunningScheduler;
import java.time.Instant;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests workflows in the Conductor dialect in a running scheduler. */
class ConductorRunsTest {
    @RegisterExtension
    private static final RunningScheduler SCHEDULER = new RunningScheduler();

    private static final FlowRuns FLOWS = new FlowRuns(SCHEDULER);

    private static List<Step> steps(Run run) {
        return SCHEDULER
                .runs()
                .listSteps(ListStepsRequest.newBuilder()
                        .setRunId(run.getId())
                        .setIncludePayloads(true)
                        .build())
                .getStepsList();
    }

    private static String output(Run run) {
        assertThat(run.getState()).as(run.getError().getMessage()).isEqualTo(Run.State.STATE_SUCCEEDED);
        return run.getOutput().toStringUtf8();
    }

    @Test
    void knowsWhenTasksBeganAndEnded() {
        FLOWS.deploy("""
                {"name": "times", "tasks": [
                  {"name": "pause", "taskReferenceName": "pause", "type": "WAIT", "inputParameters": {"duration": "1s"}},
                  {"name": "fork", "taskReferenceName": "fork", "type": "FORK_JOIN", "forkTasks": [
                    [{"name": "v", "taskReferenceName": "value", "type": "INLINE",
                      "inputParameters": {"evaluatorType": "value-param", "expression": "v", "v": 1}}], []]},
                  {"name": "join", "taskReferenceName": "join", "type": "JOIN", "joinOn": ["value"]}],
                 "outputParameters": {"created": "${workflow.createTime}", "began": "${pause.scheduledTime}",
                   "ended": "${pause.endTime}", "later": "${value.endTime}", "nothing": "${fork.endTime}"}}
                """);
        Run run = FLOWS.run("times");
        String output = output(run);
        assertThat(output).endsWith(",\"nothing\":null}");
        long created = time(output, "created");
        long began = time(output, "began");
        long ended = time(output, "ended");
        assertThat(created).isLessThanOrEqualTo(began);
        assertThat(ended - began).isBetween(1_000L, 15_000L);
        assertThat(time(output, "later")).isGreaterThanOrEqualTo(ended);
        assertThat(Instant.ofEpochMilli(created))
                .isBetween(Instant.now().minusSeconds(60), Instant.now().plusSeconds(1));
    }

    private static long time(String output, String name) {
        Matcher found = Pattern.compile("\"" + name + "\":([0-9]{13})[,}]").matcher(output);
        assertThat(found.find()).as(output).isTrue();
        return Long.parseLong(found.group(1));
    }

    @Test
    void passesTheirIdsToTheJobsOfADynamicFork() {
        FLOWS.deploy("""
                {"name": "forked_ids", "tasks": [
                  {"name": "f", "taskReferenceName": "f", "type": "FORK_JOIN_DYNAMIC", "dynamicForkTasksParam": "tasks",
                   "dynamicForkTasksInputParamName": "inputs", "inputParameters": {"tasks": "${workflow.input.tasks}", "inputs": {}}},
                  {"name": "j", "taskReferenceName": "j", "type": "JOIN"}]}
                """);
        Run run = FLOWS.submit("forked_ids", """
                {"tasks": [
                  {"name": "nobody", "taskReferenceName": "a", "inputParameters": {"id": "${CPEWF_TASK_ID}"}},
                  {"name": "nobody", "taskReferenceName": "b", "inputParameters": {"id": "${CPEWF_TASK_ID}"}}]}
                """);
        List<Step> jobs = steps(run).stream()
                .filter(step -> step.getKind() == Step.Kind.KIND_HANDLER)
                .toList();
        assertThat(jobs).hasSize(2);
        assertThat(jobs)
                .allSatisfy(job ->
                        assertThat(job.getInput().toStringUtf8()).isEqualTo("{\"id\":\"" + job.getJobId() + "\"}"));
    }

    @Test
    void passesItsIdToAJob() {
        FLOWS.deploy("""
                {"name": "ids", "tasks": [
                  {"name": "nobody", "taskReferenceName": "a", "inputParameters": {"id": "${CPEWF_TASK_ID}", "text": "task ${CPEWF_TASK_ID}"}},
                  {"name": "nobody", "taskReferenceName": "b", "inputParameters": {"id": "${CPEWF_TASK_ID}"}}]}
                """);
        Run run = FLOWS.submit("ids");
        List<Step> steps = steps(run);
        assertThat(steps).hasSize(1);
        String id = steps.getFirst().getJobId();
        assertThat(steps.getFirst().getInput().toStringUtf8())
                .isEqualTo("{\"id\":\"" + id + "\",\"text\":\"task " + id + "\"}");
    }

    @Test
    void runsDecisionsJoinsAndLoops() {
        FLOWS.deploy("""
                {"name": "inner_total", "version": 4, "tasks": [
                  {"name": "sum", "taskReferenceName": "sum", "type": "INLINE", "inputParameters": {
                    "evaluatorType": "graaljs", "expression": "$.list.reduce((a, b) => a + b, 0)", "list": "${workflow.input.list}"}}],
                 "outputParameters": {"total": "${sum.output.result}"}}
                """);
        FLOWS.deploy("""
                {"name": "everything", "version": 1, "variables": {"seen": 0}, "tasks": [
                  {"name": "route", "taskReferenceName": "route", "type": "SWITCH", "evaluatorType": "javascript",
                   "expression": "$.n > 2 ? 'many' : 'few'", "inputParameters": {"n": "${workflow.input.n}"},
                   "decisionCases": {"many": [
                     {"name": "note", "taskReferenceName": "note", "type": "SET_VARIABLE", "inputParameters": {"seen": "${route.output.selectedCase}"}}]},
                   "defaultCase": [{"name": "none", "taskReferenceName": "none", "type": "NOOP"}]},
                  {"name": "loop", "taskReferenceName": "loop", "type": "DO_WHILE", "loopCondition": "$.loop.iteration < $.n",
                   "inputParameters": {"n": 2}, "loopOver": [
                     {"name": "spread", "taskReferenceName": "spread", "type": "FORK_JOIN_DYNAMIC", "inputParameters": {
                       "forkTaskType": "INLINE", "forkTaskName": "add", "forkTaskInputs": [
                         {"evaluatorType": "value-param", "expression": "v", "v": "${loop.output.iteration}"},
                         {"evaluatorType": "value-param", "expression": "v", "v": 7}]}},
                     {"name": "gather", "taskReferenceName": "gather", "type": "JOIN"}]},
                  {"name": "broken", "taskReferenceName": "fork", "type": "FORK_JOIN", "forkTasks": [
                    [{"name": "bad", "taskReferenceName": "bad", "type": "INLINE", "optional": true,
                      "inputParameters": {"evaluatorType": "javascript", "expression": "$.nothing.at.all"}}],
                    [{"name": "jq", "taskReferenceName": "jq", "type": "JSON_JQ_TRANSFORM",
                      "inputParameters": {"list": [3, 1, 2], "queryExpression": ".list | sort"}}]]},
                  {"name": "join", "taskReferenceName": "join", "type": "JOIN", "joinOn": ["bad", "jq"]},
                  {"name": "total", "taskReferenceName": "total", "type": "SUB_WORKFLOW",
                   "subWorkflowParam": {"name": "inner_total", "version": 4}, "inputParameters": {"list": "${jq.output.result}"}}],
                 "outputParameters": {
                   "seen": "${workflow.variables.seen}", "case": "${route.output.selectedCase}", "cases": "${route.output.evaluationResult}",
                   "gathered": "${loop.output.2.gather}", "first": "${loop.output.1.gather._add_0__1.result}",
                   "status": "${join.status}", "bad": "${bad.status}", "total": "${total.output.total}",
                   "same": "${total.output.subWorkflowId}"}}
                """);
        Run run = FLOWS.run("everything", "{\"n\": 3}");
        assertThat(output(run))
                .isEqualTo("{\"seen\":\"many\",\"case\":\"many\",\"cases\":[\"many\"],"
                        + "\"gathered\":{\"_spread_add_0__2\":{\"result\":2},\"_spread_add_1__2\":{\"result\":7}},\"first\":1,"
                        + "\"status\":\"COMPLETED_WITH_ERRORS\",\"bad\":\"COMPLETED_WITH_ERRORS\",\"total\":6,\"same\":\""
                        + run.getId() + "\"}");
    }
}
