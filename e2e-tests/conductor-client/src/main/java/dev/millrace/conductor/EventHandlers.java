package dev.millrace.conductor;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.netflix.conductor.client.exception.ConductorClientException;
import com.netflix.conductor.client.http.ConductorClient;
import com.netflix.conductor.client.http.EventClient;
import com.netflix.conductor.common.config.ObjectMapperProvider;
import com.netflix.conductor.common.metadata.events.EventHandler;
import com.netflix.conductor.common.metadata.events.EventHandler.Action;
import com.netflix.conductor.common.metadata.tasks.TaskType;
import com.netflix.conductor.common.metadata.workflow.WorkflowDef;
import com.netflix.conductor.common.metadata.workflow.WorkflowTask;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Uses Conductor's client for Java as its users do: writes workflows with {@code EVENT} tasks with its model, and creates,
 * lists, changes and deletes event handlers with its client. Ends with an error if Millrace differs.
 *
 * <p>Arguments: the address of Millrace, then {@code write} and a folder for the definitions of the workflows, or
 * {@code check} once they are deployed.
 */
public final class EventHandlers {
    private static final String EVENT = "conductor:pay:paid";
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final ObjectMapper json = new ObjectMapperProvider().getObjectMapper();
    private final HttpClient http = HttpClient.newHttpClient();
    private final String server;

    private EventHandlers(String server) {
        this.server = server;
    }

    public static void main(String[] args) throws Exception {
        EventHandlers program = new EventHandlers(args[0]);
        if (args[1].equals("write")) {
            program.write(Path.of(args[2]));
        } else {
            program.check();
        }
    }

    private void write(Path folder) throws IOException {
        WorkflowTask say = task("say", TaskType.EVENT);
        say.setSink("conductor:paid");
        say.setInputParameters(Map.of(
                "n", "${workflow.input.n}", "waiting", "${workflow.input.waiting}", "kind", "${workflow.input.kind}"));
        write(folder, "pay", Map.of(), say);

        WorkflowTask note = task("note", TaskType.SET_VARIABLE);
        note.setInputParameters(Map.of("n", "${workflow.input.n}"));
        write(folder, "ship", Map.of("n", "${workflow.input.n}"), note);

        WorkflowTask hold = task("hold", TaskType.WAIT);
        write(folder, "deliver", Map.of("answer", "${hold.output.answer}"), hold);
    }

    private void write(Path folder, String name, Map<String, Object> output, WorkflowTask task) throws IOException {
        WorkflowDef workflow = new WorkflowDef();
        workflow.setName(name);
        workflow.setVersion(1);
        workflow.setOwnerEmail("ada@example.com");
        workflow.setOutputParameters(output);
        workflow.setTasks(List.of(task));
        Files.writeString(folder.resolve(name + ".json"), json.writeValueAsString(workflow));
    }

    private static WorkflowTask task(String name, TaskType type) {
        WorkflowTask task = new WorkflowTask();
        task.setName(name);
        task.setTaskReferenceName(name);
        task.setWorkflowTaskType(type);
        return task;
    }

    private void check() throws Exception {
        ConductorClient client = new ConductorClient(server + "/api/v1/conductor");
        EventClient events = new EventClient(client);

        events.registerEventHandler(ship(true));
        events.registerEventHandler(answer());
        equal("active handlers", List.of("answer_delivery", "ship_even"), names(events, true));
        EventHandler stored = events.getEventHandlers(EVENT, true).stream()
                .filter(handler -> handler.getName().equals("ship_even"))
                .findFirst()
                .orElseThrow();
        equal("condition", "$.kind == 'order' && $.n % 2 == 0", stored.getCondition());
        equal("workflow", "ship", stored.getActions().getFirst().getStart_workflow().getName());
        equal("handlers of another event", List.of(), events.getEventHandlers("conductor:pay:other", false));

        run("pay", Map.of("kind", "order", "n", 1));
        run("pay", Map.of("kind", "order", "n", 2));
        await("the even order is shipped", () -> ended("ship").equals(List.of("2")));

        String waiting = submit("deliver", Map.of());
        run("pay", Map.of("kind", "answer", "waiting", waiting, "n", 7));
        await("the task is completed", () -> state(waiting).equals("succeeded"));
        equal("output of the task", 7, get("/api/v1/runs/" + waiting).path("output").path("answer").asInt());

        events.updateEventHandler(ship(false));
        equal("active handlers", List.of("answer_delivery"), names(events, true));
        equal("all handlers", List.of("answer_delivery", "ship_even"), names(events, false));
        run("pay", Map.of("kind", "order", "n", 4));
        events.updateEventHandler(ship(true));
        run("pay", Map.of("kind", "order", "n", 6));
        await("only what came while it was active is shipped", () -> ended("ship").equals(List.of("2", "6")));

        events.unregisterEventHandler("ship_even");
        events.unregisterEventHandler("answer_delivery");
        equal("handlers that are left", List.of(), names(events, false));
        refused(404, () -> events.unregisterEventHandler("ship_even"));
        EventHandler wrong = ship(true);
        wrong.setActions(List.of());
        refused(400, () -> events.registerEventHandler(wrong));
        client.shutdown();
        System.out.println("Conductor's client creates, lists, changes and deletes event handlers, and they do their work.");
    }

    private static EventHandler ship(boolean isActive) {
        EventHandler.StartWorkflow start = new EventHandler.StartWorkflow();
        start.setName("ship");
        start.setInput(Map.of("n", "${n}"));
        Action action = new Action();
        action.setAction(Action.Type.start_workflow);
        action.setStart_workflow(start);
        return handler("ship_even", "$.kind == 'order' && $.n % 2 == 0", action, isActive);
    }

    private static EventHandler answer() {
        EventHandler.TaskDetails task = new EventHandler.TaskDetails();
        task.setWorkflowId("${waiting}");
        task.setTaskRefName("hold");
        task.setOutput(Map.of("answer", "${n}"));
        Action action = new Action();
        action.setAction(Action.Type.complete_task);
        action.setComplete_task(task);
        return handler("answer_delivery", "$.kind == 'answer'", action, true);
    }

    private static EventHandler handler(String name, String condition, Action action, boolean isActive) {
        EventHandler handler = new EventHandler();
        handler.setName(name);
        handler.setEvent(EVENT);
        handler.setCondition(condition);
        handler.setActions(List.of(action));
        handler.setActive(isActive);
        return handler;
    }

    private static List<String> names(EventClient events, boolean activeOnly) {
        return events.getEventHandlers(EVENT, activeOnly).stream()
                .map(EventHandler::getName)
                .sorted()
                .toList();
    }

    private interface Check {
        boolean holds() throws Exception;
    }

    private static void await(String what, Check check) throws Exception {
        long end = System.nanoTime() + PATIENCE_NANOS;
        while (!check.holds()) {
            if (System.nanoTime() > end) {
                throw new AssertionError(what + ": did not happen in time");
            }
            Thread.sleep(100);
        }
    }

    private static void equal(String what, Object expected, Object actual) {
        if (!expected.equals(actual)) {
            throw new AssertionError(what + ": " + actual + " (expected: " + expected + ")");
        }
    }

    private static void refused(int status, Runnable call) {
        try {
            call.run();
        } catch (ConductorClientException refusal) {
            equal("status", status, refusal.getStatus());
            if (String.valueOf(refusal.getMessage()).isBlank()) {
                throw new AssertionError("a refusal without a message");
            }
            return;
        }
        throw new AssertionError("not refused, but " + status + " was expected");
    }

    /** Values {@code n} of the runs of a flow that have ended. */
    private List<String> ended(String flow) throws Exception {
        List<String> numbers = new java.util.ArrayList<>();
        for (JsonNode run : get("/api/v1/runs?name=" + flow + "&state=succeeded").path("items")) {
            numbers.add(get("/api/v1/runs/" + run.path("id").asText()).path("output").path("n").asText());
        }
        numbers.sort(null);
        return numbers;
    }

    private String state(String run) throws Exception {
        return get("/api/v1/runs/" + run).path("state").asText();
    }

    private void run(String flow, Map<String, Object> input) throws Exception {
        String id = submit(flow, input);
        await("run of " + flow, () -> state(id).equals("succeeded"));
    }

    private String submit(String flow, Map<String, Object> input) throws Exception {
        String body = json.writeValueAsString(Map.of("target", Map.of("flow", flow), "input", input));
        return send(HttpRequest.newBuilder(URI.create(server + "/api/v1/runs"))
                        .header("content-type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(body)))
                .path("id")
                .asText();
    }

    private JsonNode get(String path) throws Exception {
        return send(HttpRequest.newBuilder(URI.create(server + path)));
    }

    private JsonNode send(HttpRequest.Builder request) throws Exception {
        HttpResponse<String> answer = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() >= 300) {
            throw new AssertionError(answer.statusCode() + ": " + answer.body());
        }
        return json.readTree(answer.body());
    }
}
