package dev.millrace.scheduler.eventhandler;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import dev.millrace.proto.eventhandler.v1.EventExecution;
import dev.millrace.proto.eventhandler.v1.EventExecution.State;
import dev.millrace.proto.eventhandler.v1.EventHandlerServiceGrpc;
import dev.millrace.proto.eventhandler.v1.ListEventExecutionsRequest;
import dev.millrace.proto.eventhandler.v1.PutEventHandlerRequest;
import dev.millrace.proto.flow.v1.DeployFlowRequest;
import dev.millrace.proto.run.v1.GetRunRequest;
import dev.millrace.proto.run.v1.ListStepsRequest;
import dev.millrace.proto.run.v1.Run;
import dev.millrace.proto.run.v1.RunSpec;
import dev.millrace.proto.run.v1.RunTarget;
import dev.millrace.proto.run.v1.SubmitRunRequest;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.testing.RunningScheduler;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests over gRPC, with two schedulers on a real Postgres. */
class EventHandlersTest {
    @RegisterExtension
    private static final RunningScheduler SCHEDULER = new RunningScheduler();

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration PAUSE = Duration.ofMillis(20);

    static {
        SCHEDULER.another();
    }

    private final EventHandlerServiceGrpc.EventHandlerServiceBlockingStub handlers =
            EventHandlerServiceGrpc.newBlockingStub(SCHEDULER.channel());

    @Test
    void eachMessageThatMeetsTheConditionStartsOneWorkflow() {
        workflow("ship_order", "{\"order\": \"${workflow.input.order}\"}", """
                {"name": "note", "taskReferenceName": "note", "type": "SET_VARIABLE", "inputParameters": {"a": 1}}
                """);
        publisher("pay_order");
        put("on_paid", """
                {"name": "on_paid", "event": "conductor:pay_order:paid", "condition": "$.n % 2 == 0 && $.detail.ready", "active": true,
                 "evaluatorType": "javascript",
                 "actions": [{"action": "start_workflow", "expandInlineJSON": true, "start_workflow": {
                    "name": "ship_order", "version": 1, "correlationId": "${n}",
                    "input": {"order": "${n}", "text": "order ${n}", "by": "${workflowInstanceId}", "ready": "${detail.ready}"}}}]}
                """);
        put("inactive", """
                {"event": "conductor:pay_order:paid",
                 "actions": [{"action": "start_workflow", "start_workflow": {"name": "ship_order"}}]}
                """);

        List<String> published = IntStream.range(0, 20)
                .mapToObj(n -> submit("pay_order", "{\"n\": " + n + "}"))
                .toList();

        List<EventExecution> history = history("on_paid", found -> found.size() >= 20 && settled(found));
        assertThat(history).hasSize(20);
        assertThat(history)
                .filteredOn(execution -> execution.getState() == State.STATE_SKIPPED)
                .hasSize(10)
                .allSatisfy(skipped -> assertThat(skipped.getReason()).contains("does not hold"));
        List<EventExecution> started = history.stream()
                .filter(execution -> execution.getState() == State.STATE_COMPLETED)
                .toList();
        assertThat(started)
                .hasSize(10)
                .extracting(EventExecution::getStartedRunId)
                .doesNotHaveDuplicates();
        assertThat(history).extracting(EventExecution::getMessageRunId).containsExactlyInAnyOrderElementsOf(published);
        for (EventExecution execution : started) {
            JsonValue input =
                    JsonValue.of(run(execution.getStartedRunId()).getInput().toStringUtf8());
            String n = member(input, "order").text();
            assertThat(published.get(Integer.parseInt(n))).isEqualTo(execution.getMessageRunId());
            assertThat(member(input, "text").string()).isEqualTo("order " + n);
            assertThat(member(input, "by").string()).isEqualTo(execution.getMessageRunId());
            assertThat(member(input, "ready").text()).isEqualTo("true");
            assertThat(execution.getId())
                    .startsWith(member(input, "conductor.event.messageId").string());
            assertThat(member(input, "conductor.event.name").string()).isEqualTo("conductor:pay_order:paid");
        }
        assertThat(history("inactive", _ -> true)).isEmpty();
        doneAgainAfterACrash(started);
    }

    /** As if a scheduler had died after it had submitted the runs, and before it noted that. */
    private void doneAgainAfterACrash(List<EventExecution> started) {
        SCHEDULER.database().execute("""
                update event_execution set state = 2, ended_at = null, claimed_until = now(),
                    plan = '{"name": "ship_order", "input": {"n": 1}}'
                where state = 3 and event = 'conductor:pay_order:paid'
                """);

        List<EventExecution> again = history("on_paid", found -> found.size() >= 20 && settled(found));

        assertThat(again)
                .filteredOn(execution -> execution.getState() == State.STATE_COMPLETED)
                .extracting(EventExecution::getStartedRunId)
                .containsExactlyElementsOf(
                        started.stream().map(EventExecution::getStartedRunId).toList());
        assertThat(again).extracting(EventExecution::getReason).noneMatch(reason -> reason.contains("request id"));
    }

    @Test
    void handlersEndTasksAndWorkflowsAndFailOnTheirOwn() {
        workflow("wait_for_it", "{\"got\": \"${gate.output}\"}", """
                {"name": "gate", "taskReferenceName": "gate", "type": "WAIT"}
                """);
        workflow("tell_it", "{}", """
                {"name": "tell", "taskReferenceName": "tell", "type": "EVENT", "sink": "conductor",
                 "inputParameters": {"target": "${workflow.input.target}", "how": "${workflow.input.how}"}}
                """);
        put("broken", """
                {"event": "conductor:tell_it:tell", "condition": "$.how.a.b.c > 1", "active": true,
                 "actions": [{"action": "terminate_workflow", "terminate_workflow": {"workflowId": "${target}"}}]}
                """);
        put("completes", """
                {"event": "conductor:tell_it:tell", "condition": "$.how == 'complete'", "active": true,
                 "actions": [{"action": "complete_task", "complete_task": {"workflowId": "${target}", "taskRefName": "gate",
                    "output": {"how": "${how}", "missing": "${no.such}"}}}]}
                """);
        put("fails", """
                {"event": "conductor:tell_it:tell", "condition": "$.how == 'fail'", "active": true,
                 "actions": [{"action": "fail_task", "fail_task": {"workflowId": "${target}", "taskRefName": "gate",
                    "reasonForIncompletion": "It was ${how}ed."}},
                    {"action": "start_workflow", "start_workflow": {"name": "no_such_workflow"}}]}
                """);
        put("ends", """
                {"event": "conductor:tell_it:tell", "condition": "$.how == 'end'", "active": true,
                 "actions": [{"action": "terminate_workflow", "terminate_workflow": {"workflowId": "${target}",
                    "terminationReason": "No longer wanted."}}]}
                """);
        String completed = submit("wait_for_it", "{}");
        String failed = submit("wait_for_it", "{}");
        String canceled = submit("wait_for_it", "{}");

        submit("tell_it", "{\"target\": \"" + completed + "\", \"how\": \"complete\"}");
        submit("tell_it", "{\"target\": \"" + failed + "\", \"how\": \"fail\"}");
        submit("tell_it", "{\"target\": \"" + canceled + "\", \"how\": \"end\"}");

        JsonValue got = member(JsonValue.of(ended(completed).getOutput().toStringUtf8()), "got");
        assertThat(member(got, "how").string()).isEqualTo("complete");
        assertThat(member(got, "missing").isNull()).isTrue();
        assertThat(member(got, "taskRefName").string()).isEqualTo("gate");
        assertThat(member(got, "conductor.event.name").string()).isEqualTo("conductor:tell_it:tell");
        assertThat(ended(failed).getError().getMessage()).contains("It was failed.");
        assertThat(ended(canceled).getState()).isEqualTo(Run.State.STATE_CANCELED);
        assertThat(history("broken", found -> found.size() == 3 && settled(found)))
                .allSatisfy(execution -> {
                    assertThat(execution.getState()).isEqualTo(State.STATE_FAILED);
                    assertThat(execution.getReason()).contains("$.how.a.b.c");
                });
        assertThat(history("fails", found -> found.size() == 4 && settled(found)))
                .filteredOn(execution -> execution.getState() == State.STATE_FAILED)
                .extracting(EventExecution::getReason)
                .containsExactly("There is no flow no_such_workflow in workspace default: deploy it first.");
    }

    @Test
    void aLoopEndsAtTheNamedLimit() {
        publisher("goes_round");
        put("round", """
                {"event": "conductor:goes_round:paid", "active": true,
                 "actions": [{"action": "start_workflow", "start_workflow": {"name": "goes_round", "input": {"n": 1}}}]}
                """);

        submit("goes_round", "{\"n\": 0}");

        List<EventExecution> history =
                history("round", found -> found.size() > HandlerRunner.DEPTH_MAX && settled(found));
        assertThat(history).hasSize(HandlerRunner.DEPTH_MAX + 1);
        assertThat(history.getFirst().getReason()).contains("the last of 8");
    }

    /** Once, a handler of 40 KB that named a large value 5,000 times ended the scheduler. */
    @Test
    void largeMessagesAndWhatWouldGrowOfThemFail() {
        publisher("grows");
        put("repeats", """
                {"event": "conductor:grows:paid", "active": true,
                 "actions": [{"action": "start_workflow", "start_workflow": {"name": "grows", "input": {"all": [%s]}}}]}
                """.formatted(String.join(",", Collections.nCopies(5_000, "\"${n}\""))));

        submit("grows", "{\"n\": \"" + "x".repeat(200_000) + "\"}");
        submit("grows", "{\"n\": \"" + "x".repeat(300_000) + "\"}");

        List<EventExecution> history = history("repeats", found -> found.size() == 2 && settled(found));
        assertThat(history)
                .allSatisfy(execution -> assertThat(execution.getState()).isEqualTo(State.STATE_FAILED));
        assertThat(history)
                .extracting(EventExecution::getReason)
                .anySatisfy(reason -> assertThat(reason).contains("larger than the limit of 2097152 bytes"))
                .anySatisfy(reason ->
                        assertThat(reason).startsWith("The message has 300").contains("handlers get at most 262144"));
    }

    @Test
    void aStepTellsItsEventInItsInputAndPublishesNothingIfItHasAMock() {
        var _ = SCHEDULER
                .flows()
                .deployFlow(DeployFlowRequest.newBuilder()
                        .setPath("publishes")
                        .setFileName("flow.yaml")
                        .setDefinition(ByteString.copyFromUtf8("""
                                millrace: v1
                                name: publishes
                                steps:
                                  - {id: mocked, publish: {event: "conductor:mocked", message: 1}, mock: 2}
                                  - {id: told, publish: {event: "conductor:told", message: 3}}
                                """))
                        .build());
        for (String event : List.of("mocked", "told")) {
            put("hears_" + event, """
                    {"event": "conductor:%s", "active": true, "actions": [
                      {"action": "terminate_workflow", "terminate_workflow": {"workflowId": "none"}}]}
                    """.formatted(event));
        }

        Run run = ended(submit("publishes", "{}"));

        assertThat(run.getState()).isEqualTo(Run.State.STATE_SUCCEEDED);
        assertThat(SCHEDULER
                        .runs()
                        .listSteps(ListStepsRequest.newBuilder()
                                .setRunId(run.getId())
                                .setIncludePayloads(true)
                                .build())
                        .getStepsList())
                .extracting(step -> step.getInput().toStringUtf8())
                .contains("{\"event\":\"conductor:told\"}");
        assertThat(history("hears_told", found -> !found.isEmpty())).hasSize(1);
        assertThat(history("hears_mocked", _ -> true)).isEmpty();
    }

    @Test
    void whatProgramsForConductorSendIsTaken() {
        put("sdk", """
                {"name": "sdk", "event": "conductor:pay:paid", "condition": null, "evaluatorType": null, "schema": null, "actions": [
                  {"action": "complete_task", "start_workflow": null, "fail_task": null, "expandInlineJSON": false,
                   "complete_task": {"workflowId": "${run}", "taskRefName": "hold", "taskId": null, "outputMessage": null,
                     "output": {"at": "${$.now()}", "done": true}}}]}
                """);
    }

    @Test
    void aDefinitionThatCannotWorkIsRefused() {
        StatusRuntimeException refused =
                requireNonNull(catchThrowableOfType(StatusRuntimeException.class, () -> put("bad", """
                {"event": "nowhere", "condition": "$.a ==", "evaluatorType": "python", "color": 1, "actions": [
                  {"action": "update_workflow_variables", "update_workflow_variables": {}},
                  {"action": "complete_task", "complete_task": {"workflowId": "${a}"}},
                  {"action": "start_workflow", "start_workflow": {"version": "x"}}]}
                """)));
        assertThat(RunningScheduler.violatedFields(refused))
                .contains(
                        "definition.event",
                        "definition.condition",
                        "definition.evaluatorType",
                        "definition.color",
                        "definition.actions[0].action",
                        "definition.actions[1].complete_task.taskId",
                        "definition.actions[2].start_workflow.name",
                        "definition.actions[2].start_workflow.version");
    }

    private static JsonValue member(JsonValue value, String name) {
        return requireNonNull(value.members().get(name), name);
    }

    private void put(String path, String definition) {
        var _ = handlers.putEventHandler(PutEventHandlerRequest.newBuilder()
                .setPath(path)
                .setDefinition(ByteString.copyFromUtf8(definition))
                .build());
    }

    private List<EventExecution> history(String path, Predicate<List<EventExecution>> wanted) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            List<EventExecution> found = handlers.listEventExecutions(ListEventExecutionsRequest.newBuilder()
                            .setPath(path)
                            .build())
                    .getExecutionsList();
            if (wanted.test(found) || System.nanoTime() > end) {
                return found;
            }
            LockSupport.parkNanos(PAUSE.toNanos());
        }
    }

    private static boolean settled(List<EventExecution> executions) {
        return executions.stream().noneMatch(execution -> execution.getState() == State.STATE_IN_PROGRESS);
    }

    private static Run run(String id) {
        return SCHEDULER
                .runs()
                .getRun(GetRunRequest.newBuilder().setRunId(id).build())
                .getRun();
    }

    private static Run ended(String id) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            Run run = run(id);
            if (run.hasEndTime() || System.nanoTime() > end) {
                return run;
            }
            LockSupport.parkNanos(PAUSE.toNanos());
        }
    }

    private static String submit(String flow, String input) {
        return SCHEDULER
                .runs()
                .submitRun(SubmitRunRequest.newBuilder()
                        .setSpec(RunSpec.newBuilder()
                                .setTarget(RunTarget.newBuilder().setFlowPath(flow))
                                .setInput(ByteString.copyFromUtf8(input)))
                        .build())
                .getRun()
                .getId();
    }

    private static void publisher(String name) {
        workflow(name, "{}", """
                {"name": "pay", "taskReferenceName": "pay", "type": "EVENT", "sink": "conductor:paid",
                 "inputParameters": {"n": "${workflow.input.n}", "detail": "{\\"ready\\": true}"}}
                """);
    }

    private static void workflow(String name, String output, String tasks) {
        var _ = SCHEDULER
                .flows()
                .deployFlow(DeployFlowRequest.newBuilder()
                        .setFileName("flow.json")
                        .setDefinition(ByteString.copyFromUtf8("""
                                {"name": "%s", "version": 1, "schemaVersion": 2, "tasks": [%s], "outputParameters": %s}
                                """.formatted(name, tasks, output)))
                        .build());
    }
}
