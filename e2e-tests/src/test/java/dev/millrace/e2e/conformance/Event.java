package dev.millrace.e2e.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.e2e.support.Json;
import dev.millrace.proto.log.v1.LogChunk;
import dev.millrace.proto.worker.v1.Demand;
import dev.millrace.proto.worker.v1.HeldLease;
import dev.millrace.proto.worker.v1.Hello;
import dev.millrace.proto.worker.v1.JobResult;
import dev.millrace.proto.worker.v1.OpenSessionRequest;
import dev.millrace.proto.worker.v1.SetDataRequest;
import dev.millrace.proto.worker.v1.SlotGroup;
import dev.millrace.proto.worker.v1.WorkerLog;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Something that a worker has sent, as scenarios name it.
 *
 * @param kind such as {@code result}
 * @param fields its fields
 */
record Event(String kind, JsonNode fields) {
    /** Ending of the name of a field that need only contain the given text. */
    private static final String PART = "~";

    /** What a message says; empty for heartbeats and other messages that scenarios do not name. */
    static Stream<Event> of(OpenSessionRequest message) {
        return switch (message.getMessageCase()) {
            case HELLO -> Stream.of(hello(message.getHello()));
            case DEMAND -> Stream.of(demand(message.getDemand()));
            case STARTED ->
                message.getStarted().getJobsList().stream()
                        .map(started -> new Event(
                                "started", JsonNodeFactory.instance.objectNode().put("job", started.getJobId())));
            case RESULTS -> message.getResults().getResultsList().stream().map(Event::result);
            case LOGS -> message.getLogs().getLogsList().stream().map(Event::log);
            case GOODBYE -> Stream.of(new Event("goodbye", JsonNodeFactory.instance.objectNode()));
            case HEARTBEAT, HELD_FOLDERS, MESSAGE_NOT_SET -> Stream.of();
        };
    }

    /** A value of run data was written. */
    static Event data(SetDataRequest request) {
        ObjectNode fields = JsonNodeFactory.instance
                .objectNode()
                .put("key", request.getKey())
                .put("job", request.getJobId())
                .put("token", request.getLeaseToken());
        fields.set("value", Json.parse(request.getValue().toStringUtf8()));
        return new Event("data", fields);
    }

    private static Event hello(Hello hello) {
        ObjectNode fields = JsonNodeFactory.instance
                .objectNode()
                .put("session", hello.getSessionId())
                .put("token", hello.getResumeToken())
                .put("name", hello.getWorkerName())
                .put("slots", slots(hello.getSlotGroupsList()));
        var held = fields.putArray("held");
        hello.getHeldLeasesList().stream().map(HeldLease::getJobId).sorted().forEach(held::add);
        return new Event("hello", fields);
    }

    private static Event demand(Demand demand) {
        boolean paused = demand.getSlotGroupsList().stream()
                .anyMatch(group -> !group.getPauseReason().isEmpty());
        return new Event(
                "demand",
                JsonNodeFactory.instance
                        .objectNode()
                        .put("slots", slots(demand.getSlotGroupsList()))
                        .put("paused", paused));
    }

    private static int slots(List<SlotGroup> groups) {
        return groups.stream().mapToInt(SlotGroup::getSlots).sum();
    }

    private static Event log(WorkerLog log) {
        return new Event(
                "log",
                JsonNodeFactory.instance
                        .objectNode()
                        .put("job", log.getJobId())
                        .put("stream", word(log.getStream()))
                        .put("text", log.getText()));
    }

    private static String word(LogChunk.Stream stream) {
        return stream.name().substring("STREAM_".length()).toLowerCase(Locale.ROOT);
    }

    private static Event result(JobResult result) {
        ObjectNode fields = JsonNodeFactory.instance
                .objectNode()
                .put("job", result.getJobId())
                .put("token", result.getLeaseToken());
        switch (result.getOutcomeCase()) {
            case RESULT -> fields.set("value", Json.parse(result.getResult().toStringUtf8()));
            case RETURNED -> fields.put("returned", result.getReturned().getReason());
            case ERROR ->
                fields.putObject("error")
                        .put("name", result.getError().getName())
                        .put("message", result.getError().getMessage())
                        .put("retryable", result.getError().getRetryable());
            case OUTCOME_NOT_SET -> throw new AssertionError("A result has no outcome: " + result);
        }
        return new Event("result", fields);
    }

    /** Whether a scenario must name each event of this kind. */
    boolean mustBeExpected() {
        return List.of("hello", "result", "goodbye").contains(kind);
    }

    /** Whether it is what a scenario expects. */
    boolean isLike(String expectedKind, JsonNode expected) {
        return kind.equals(expectedKind) && matches(fields, expected);
    }

    private static boolean matches(JsonNode actual, JsonNode expected) {
        if (actual.isNumber() && expected.isNumber()) {
            return actual.decimalValue().compareTo(expected.decimalValue()) == 0;
        }
        if (!expected.isObject()) {
            return actual.equals(expected);
        }
        return expected.propertyStream().allMatch(field -> matches(actual, field));
    }

    private static boolean matches(JsonNode actual, Map.Entry<String, JsonNode> expected) {
        String name = expected.getKey();
        if (!name.endsWith(PART)) {
            return matches(actual.path(name), expected.getValue());
        }
        JsonNode text = actual.path(name.substring(0, name.length() - PART.length()));
        return text.isTextual() && text.asText().contains(expected.getValue().asText());
    }
}
