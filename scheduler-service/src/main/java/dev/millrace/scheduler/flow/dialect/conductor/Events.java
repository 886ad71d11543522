package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Path;
import dev.millrace.scheduler.expression.Root;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.definition.StepAction;
import dev.millrace.scheduler.flow.dialect.SourceNode;
import dev.millrace.scheduler.flow.dialect.SourceNode.Mark;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Compiler of the message that an EVENT task publishes, to a Kafka topic or to event handlers: its parameters with the
 * members that Conductor adds.
 */
final class Events {
    private static final String SINK = "sink";
    private static final String KAFKA = "kafka:";
    /** Begin of the sinks whose events go to event handlers. */
    private static final String CONDUCTOR = "conductor";

    private final Compiling compiling;
    private final TaskReferences references;

    Events(Compiling compiling, TaskReferences references) {
        this.compiling = compiling;
        this.references = references;
    }

    /** Whether the event goes to event handlers, without a worker. */
    static boolean isInternal(TaskNode task) {
        return task.type() == TaskType.EVENT
                && task.fields().find(SINK).orElse(null) instanceof SourceNode.Text(Mark _, String sink)
                && (sink.equals(CONDUCTOR) || sink.startsWith(CONDUCTOR + ":"));
    }

    /**
     * Compiles an event for event handlers. Its name begins with the name of the workflow, as in Conductor; the message
     * is the output of the task.
     */
    StepAction.Publish internal(TaskNode task, Params params) {
        String sink = task.fields().text(SINK).orElseThrow();
        String name = sink.equals(CONDUCTOR) ? task.reference() : sink.substring(CONDUCTOR.length() + 1);
        Template event = value(task, CONDUCTOR + ":" + compiling.workflowName() + ":" + name);
        return new StepAction.Publish(event, payload(params, value(task, sink), event));
    }

    /** Compiles the Kafka message, without broker addresses: the worker that publishes the message knows them. */
    Template message(TaskNode task, Params params) {
        String sink = task.fields().text(SINK).orElse("");
        if (!sink.startsWith(KAFKA) || sink.equals(KAFKA)) {
            refuse(task, sink);
            return Template.Constant.EMPTY_OBJECT;
        }
        String topic = sink.substring(KAFKA.length());
        if (topic.contains(":") && !topic.contains("${")) {
            compiling
                    .reading()
                    .problem(
                            task.fields(),
                            SINK,
                            "\"" + topic
                                    + "\" is no name of a topic: the worker that publishes the message knows the brokers.",
                            "Name the topic alone, for example \"sink\": \"kafka:"
                                    + topic.substring(topic.lastIndexOf(':') + 1) + "\".");
            return Template.Constant.EMPTY_OBJECT;
        }
        Template produced = value(task, sink);
        Map<String, Template> message = new LinkedHashMap<>();
        message.put("topic", value(task, topic));
        message.put("value", payload(params, produced, produced));
        return Template.object(message);
    }

    private Template payload(Params params, Template sink, Template produced) {
        Map<String, Template> payload = new LinkedHashMap<>(params.members());
        payload.put(SINK, sink);
        payload.put("workflowInstanceId", new Template.Whole(new Path(new Root.Run(), List.of())));
        payload.put("workflowType", new Template.Constant(JsonValue.ofString(compiling.workflowName())));
        payload.put("workflowVersion", new Template.Constant(JsonValue.of(compiling.workflowVersion())));
        payload.put("correlationId", Template.Constant.NULL);
        payload.put("event_produced", produced);
        return Template.object(payload);
    }

    private Template value(TaskNode task, String text) {
        SourceNode sink = task.fields().find(SINK).orElseThrow();
        return new Values(compiling.reading(), references)
                .template(new SourceNode.Text(sink.mark(), text), task.fields().path(SINK));
    }

    private void refuse(TaskNode task, String sink) {
        Optional<SourceNode> given = task.fields().find(SINK);
        if (given.isPresent() && !(given.get() instanceof SourceNode.Text)) {
            return;
        }
        compiling
                .reading()
                .problem(
                        task.fields(),
                        SINK,
                        sink.isBlank()
                                ? "Task \"" + task.reference() + "\" has no sink."
                                : "Events cannot be published to \"" + sink + "\": only Kafka is known here.",
                        "Name a topic, for example \"sink\": \"kafka:orders\"; or publish with HTTP, or start the "
                                + "workflow that listens with START_WORKFLOW.");
    }
}
