package dev.millrace.scheduler.eventhandler;

import com.google.protobuf.ByteString;
import dev.millrace.proto.run.v1.RunSpec;
import dev.millrace.proto.run.v1.RunTarget;
import dev.millrace.scheduler.error.Violations;
import dev.millrace.scheduler.expression.JsonText;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.rpc.RequestFields;
import dev.millrace.scheduler.rpc.TimeProtos;
import dev.millrace.scheduler.submission.RunTemplate;

/** Reads and writes messages about event handlers. */
final class EventHandlerProtos {
    private EventHandlerProtos() {}

    /**
     * What a request says of a handler, checked.
     *
     * @param path as the request names it; empty if the definition names it
     */
    record Named(String path, HandlerDefinition definition) {}

    static Named named(String path, ByteString given) {
        Violations violations = new Violations();
        String text = RequestFields.text("definition", given, HandlerDefinition.TEXT_LENGTH_MAX * 4, violations)
                .orElse("");
        violations.throwIfAny();
        JsonText.problem(text).ifPresent(problem -> violations.add("definition", problem));
        violations.throwIfAny();
        HandlerDefinition definition = HandlerDefinition.read(new Json(text), "definition", violations);
        violations.throwIfAny();
        String name = path.isEmpty() ? definition.name() : path;
        violations.require(
                !name.isBlank()
                        && name.length() <= HandlerDefinition.NAME_LENGTH_MAX
                        && name.chars().noneMatch(Character::isISOControl)
                        && !name.startsWith("/")
                        && !name.endsWith("/"),
                path.isEmpty() ? "definition.name" : "path",
                "\"" + name + "\" (expected: 1 to " + HandlerDefinition.NAME_LENGTH_MAX
                        + " characters, none of them a control character, and no '/' at the ends)");
        violations.throwIfAny();
        return new Named(name, definition);
    }

    /** A run of a flow with an input. */
    static RunTemplate run(String flow, JsonValue input) {
        return RunTemplate.of(RunSpec.newBuilder()
                .setTarget(RunTarget.newBuilder().setFlowPath(flow))
                .setInput(ByteString.copyFromUtf8(input.text()))
                .build());
    }

    static dev.millrace.proto.eventhandler.v1.EventHandler message(EventHandler handler) {
        return dev.millrace.proto.eventhandler.v1.EventHandler.newBuilder()
                .setPath(handler.path())
                .setEvent(handler.definition().event())
                .setActive(handler.definition().isActive())
                .setDefinition(
                        ByteString.copyFromUtf8(handler.definition().text().text()))
                .setVersion(handler.version())
                .setActor(handler.actor())
                .setChangeTime(TimeProtos.timestamp(handler.changedAt()))
                .build();
    }

    static dev.millrace.proto.eventhandler.v1.EventExecution message(EventExecution execution) {
        return dev.millrace.proto.eventhandler.v1.EventExecution.newBuilder()
                .setId(execution.messageId() + "_" + execution.number())
                .setEvent(execution.event())
                .setMessageRunId(execution.run().map(Object::toString).orElse(""))
                .setMessageSource(execution.source())
                .setAction(execution.action())
                .setState(state(execution.state()))
                .setStartedRunId(execution.startedRun().map(Object::toString).orElse(""))
                .setReason(execution.reason())
                .setTime(TimeProtos.timestamp(execution.notedAt()))
                .build();
    }

    private static dev.millrace.proto.eventhandler.v1.EventExecution.State state(ExecutionState state) {
        return switch (state) {
            case NOTED, PLANNED -> dev.millrace.proto.eventhandler.v1.EventExecution.State.STATE_IN_PROGRESS;
            case COMPLETED -> dev.millrace.proto.eventhandler.v1.EventExecution.State.STATE_COMPLETED;
            case FAILED -> dev.millrace.proto.eventhandler.v1.EventExecution.State.STATE_FAILED;
            case SKIPPED -> dev.millrace.proto.eventhandler.v1.EventExecution.State.STATE_SKIPPED;
        };
    }
}
