package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.expression.Composed;
import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Path;
import dev.millrace.scheduler.expression.Root;
import dev.millrace.scheduler.expression.Segment;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.definition.FailureFlow;
import dev.millrace.scheduler.flow.core.definition.FlowDefinition;
import dev.millrace.scheduler.flow.core.definition.FlowOptions;
import dev.millrace.scheduler.flow.core.definition.InputSpec;
import dev.millrace.scheduler.flow.core.definition.InputType;
import dev.millrace.scheduler.flow.core.definition.NumberedPath;
import dev.millrace.scheduler.flow.core.definition.StepList;
import dev.millrace.scheduler.flow.dialect.Fields;
import dev.millrace.scheduler.flow.dialect.SourceNode;
import dev.millrace.scheduler.queue.core.JobOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reader of everything in a workflow except its tasks. */
final class Workflows {
    static final List<String> KEYS = List.of(
            "name",
            "description",
            "version",
            "schemaVersion",
            "tasks",
            "taskDefs",
            "inputParameters",
            "inputTemplate",
            "outputParameters",
            "variables",
            "failureWorkflow",
            "failureWorkflowVersion",
            "timeoutSeconds",
            "timeoutPolicy",
            "restartable",
            "rateLimitConfig",
            "inputSchema",
            "outputSchema",
            "enforceSchema",
            "workflowStatusListenerEnabled",
            "workflowStatusListenerSink",
            "maskedFields",
            "cacheConfig",
            "onStateChange",
            "metadata",
            "tags",
            "overwriteTags",
            "ownerEmail",
            "ownerApp",
            "accessPolicy",
            "createTime",
            "updateTime",
            "createdBy",
            "updatedBy");
    /** Settings that neither have an effect here nor in the open source server of Conductor. */
    private static final List<String> WITHOUT_EFFECT = List.of(
            "inputSchema",
            "outputSchema",
            "workflowStatusListenerSink",
            "maskedFields",
            "cacheConfig",
            "onStateChange");

    private static final String RATE_LIMIT = "rateLimitConfig";
    private static final List<String> RATE_LIMIT_KEYS = List.of("rateLimitKey", "concurrentExecLimit", "policy");
    /** A path to anything other than the workflow's input and values that are equal for all runs. */
    private static final Pattern READS_OTHERS =
            Pattern.compile("\\$\\{(?!workflow\\.(input[.}\\[]|(correlationId|workflowType|version|schemaVersion)}))");

    private static final Pattern READS_CORRELATION_ID = Pattern.compile("\\$\\{workflow\\.correlationId}");

    /** Conductor documents the form without braces. With braces, it would look for a member whose name ends with one. */
    private static final Pattern NAME_IN_INPUT = Pattern.compile(
            "\\$(\\{workflow\\.input\\.(?<braced>[^.{}\\s]+)}|workflow\\.input\\.(?<member>[^.{}\\s]+))");

    static final int VERSION_MAX = 999_999_999;
    private static final int SCHEMA_VERSION = 2;
    private static final long MILLIS_PER_SECOND = 1_000;
    private static final List<String> TIMEOUT_POLICIES = List.of("TIME_OUT_WF", "ALERT_ONLY");

    private final Reading reading;
    private final Fields fields;

    Workflows(Reading reading, Fields fields) {
        this.reading = reading;
        this.fields = fields;
    }

    String name() {
        return fields.text("name").orElse("");
    }

    int version() {
        return fields.whole("version", 0, VERSION_MAX).orElse(NumberedPath.FIRST);
    }

    FlowDefinition flow(List<TaskNode> tasks, Compiling compiling) {
        checkSchemaVersion();
        fields.ignore(
                WITHOUT_EFFECT,
                "has no effect here, as in the open source server of Conductor.",
                "Remove it, or leave it for servers that know it.");
        if (fields.find("tasks").filter(Reading::isEmpty).isPresent()) {
            reading.problem(fields, "tasks", "The workflow has no tasks.", "Add at least one task.");
        }
        Lists lists = new Lists(compiling);
        Level level = Level.ofWorkflow();
        StepList list = compiling.tree().isSound() ? lists.list(tasks, level) : StepList.EMPTY;
        return new FlowDefinition(
                WorkflowNames.path(name()),
                fields.text("description").orElse(""),
                inputs(),
                output(compiling, level)
                        .map(output -> new StepList(list.steps(), Optional.of(output)))
                        .orElse(list),
                options(compiling));
    }

    private void checkSchemaVersion() {
        Optional<Integer> version = fields.whole("schemaVersion", 0, Integer.MAX_VALUE);
        if (version.isPresent() && version.get() == FirstSchema.VERSION) {
            reading.warn(
                    fields,
                    "schemaVersion",
                    "schemaVersion is 1, which Conductor no longer accepts: a parameter such as \"a.output.b\" is read as"
                            + " \"${a.output.b}\".",
                    "Write the paths in ${}, and schemaVersion " + SCHEMA_VERSION + ".");
        } else if (version.isPresent() && version.get() != SCHEMA_VERSION) {
            reading.problem(
                    fields,
                    "schemaVersion",
                    "schemaVersion is " + version.get() + " (expected: " + SCHEMA_VERSION + ").",
                    "Write the workflow for schema version " + SCHEMA_VERSION + ".");
        }
    }

    /**
     * Reads the inputs. Their names are only documentation, because a workflow accepts any input. Values in
     * {@code inputTemplate} are defaults.
     */
    private List<InputSpec> inputs() {
        Map<String, InputSpec> inputs = new LinkedHashMap<>();
        for (String name : names()) {
            inputs.put(name, new InputSpec(name, InputType.ANY, false, Optional.empty(), ""));
        }
        fields.find("inputTemplate").ifPresent(node -> {
            for (SourceNode.Entry entry : Fields.of(
                            reading.problems(), node, fields.path("inputTemplate"), "inputTemplate", List.of())
                    .entries()) {
                Optional<JsonValue> value = Optional.of(entry.value().constant());
                inputs.put(entry.key(), new InputSpec(entry.key(), InputType.ANY, false, value, ""));
            }
        });
        return new ArrayList<>(inputs.values());
    }

    private List<String> names() {
        List<String> names = new ArrayList<>();
        Optional<SourceNode> node = fields.find("inputParameters");
        if (node.isPresent() && node.get() instanceof SourceNode.Sequence sequence) {
            for (SourceNode item : sequence.items()) {
                if (item instanceof SourceNode.Text name) {
                    names.add(name.text());
                }
            }
        } else if (node.isPresent() && !Reading.isEmpty(node.get())) {
            reading.problem(
                    fields,
                    "inputParameters",
                    "inputParameters is " + node.get().phrase() + " (expected: an array of names).",
                    "Write a list of names; defaults go into inputTemplate.");
        }
        return names;
    }

    private Optional<Template> output(Compiling compiling, Level level) {
        Optional<SourceNode> node = fields.find("outputParameters").filter(found -> !Reading.isEmpty(found));
        if (node.isPresent() && !(node.get() instanceof SourceNode.Mapping)) {
            reading.problem(
                    fields,
                    "outputParameters",
                    "outputParameters is " + node.get().phrase() + " (expected: an object).",
                    "Write one key for each output.");
            return Optional.empty();
        }
        String path = fields.path("outputParameters");
        return node.map(found ->
                new Values(reading, new TaskReferences(compiling, level, found.mark(), path)).template(found, path));
    }

    private FlowOptions options(Compiling compiling) {
        return FlowOptions.NONE
                .change()
                .variables(variables())
                .failureFlow(failureWorkflow())
                .timeout(timeout())
                .concurrency(concurrency(compiling))
                .undeclared(FlowOptions.Undeclared.KEPT)
                .build();
    }

    /** Conductor takes the name of the failure workflow from the input if it begins with a dollar sign. */
    private Optional<FailureFlow> failureWorkflow() {
        Optional<String> name = fields.text("failureWorkflow").filter(text -> !text.isBlank());
        int version = fields.whole("failureWorkflowVersion", 0, VERSION_MAX).orElse(0);
        if (name.filter(text -> text.startsWith("$")).isEmpty()) {
            return name.map(text -> FailureFlow.at(WorkflowNames.path(text, version), FailureFlow.Given.INPUT));
        }
        Matcher ofInput = NAME_IN_INPUT.matcher(name.get().strip());
        if (!ofInput.matches()) {
            reading.warn(
                    fields,
                    "failureWorkflow",
                    "No failure workflow starts here, because its name is not that of a member of the input.",
                    "Write $workflow.input.NAME, or name a workflow that starts the wanted one with START_WORKFLOW,"
                            + " which may compute any name.");
            return Optional.empty();
        }
        String member = ofInput.group("braced") != null ? ofInput.group("braced") : ofInput.group("member");
        Expression value = new Path(new Root.Inputs(), List.of(Segment.key(member, false)));
        Expression number = Composed.constant(version > 0 ? JsonValue.of(version) : JsonValue.NULL);
        return Optional.of(new FailureFlow(new Template.Whole(new FlowPath(value, number)), FailureFlow.Given.INPUT));
    }

    private JsonValue variables() {
        Map<String, JsonValue> variables = new LinkedHashMap<>();
        fields.find("variables").ifPresent(node -> {
            for (SourceNode.Entry entry : Fields.of(
                            reading.problems(), node, fields.path("variables"), "variables", List.of())
                    .entries()) {
                variables.put(entry.key(), entry.value().constant());
            }
        });
        return JsonObjects.of(variables);
    }

    /** The timeout. It takes effect only with the policy that ends the workflow. */
    private Optional<Duration> timeout() {
        Optional<Duration> timeout = fields.whole(
                        "timeoutSeconds", 0, (int) (JobOptions.TIMEOUT_LIMIT.toMillis() / MILLIS_PER_SECOND))
                .filter(seconds -> seconds > 0)
                .map(Duration::ofSeconds);
        Optional<String> policy = fields.text("timeoutPolicy");
        if (policy.isPresent() && !TIMEOUT_POLICIES.contains(policy.get())) {
            reading.problem(
                    fields,
                    "timeoutPolicy",
                    "timeoutPolicy is \"" + policy.get() + "\" (expected: " + String.join(", ", TIMEOUT_POLICIES)
                            + ").",
                    "Write one of them.");
        }
        return timeout.filter(_ -> policy.orElse("").equals("TIME_OUT_WF"));
    }

    /** Limit of concurrent runs with the same key. */
    private Optional<FlowOptions.Concurrency> concurrency(Compiling compiling) {
        Optional<SourceNode> node = fields.find(RATE_LIMIT).filter(found -> !Reading.isEmpty(found));
        if (node.isEmpty()) {
            return Optional.empty();
        }
        String path = fields.path(RATE_LIMIT);
        if (compiling.nesting() > 1) {
            reading.problem(
                    node.get().mark(),
                    path,
                    "\"" + RATE_LIMIT + "\" applies only to the outermost workflow.",
                    "Remove it.");
            return Optional.empty();
        }
        Fields limit = reading.fields(node.get(), path, RATE_LIMIT, RATE_LIMIT_KEYS);
        if (limit.text("policy").filter("REJECT"::equals).isPresent()) {
            reading.warn(
                    limit,
                    "policy",
                    "The policy REJECT has no effect: runs beyond the limit wait here, as with QUEUE.",
                    "Write QUEUE, or let the caller count the runs.");
        }
        Optional<SourceNode> key = limit.find("rateLimitKey");
        if (limit.isObject() && (key.isEmpty() || !limit.has("concurrentExecLimit"))) {
            reading.problem(
                    limit.mark(),
                    path,
                    "rateLimitConfig lacks " + (key.isEmpty() ? "rateLimitKey" : "concurrentExecLimit") + ".",
                    "Set both: the key, and the maximum number of concurrent runs with the same key.");
            return Optional.empty();
        }
        if (limit.text("rateLimitKey").filter(READS_OTHERS.asPredicate()).isPresent()) {
            reading.problem(
                    limit,
                    "rateLimitKey",
                    "The key of a limit is evaluated before the run begins and can read only its input.",
                    "Use ${workflow.input.NAME}.");
            return Optional.empty();
        }
        if (limit.text("rateLimitKey")
                .filter(READS_CORRELATION_ID.asPredicate())
                .isPresent()) {
            reading.warn(
                    limit,
                    "rateLimitKey",
                    "The key holds workflow.correlationId, which is null here, so that all runs share the limit.",
                    "Give the workflow an input that distinguishes its runs, and use ${workflow.input.NAME}.");
        }
        Optional<Integer> max = limit.whole("concurrentExecLimit", 1, Integer.MAX_VALUE);
        return max.flatMap(most -> key.map(found -> new FlowOptions.Concurrency(
                most,
                new Values(reading, new TaskReferences(compiling, Level.ofWorkflow(), found.mark(), path))
                        .template(found, limit.path("rateLimitKey")))));
    }
}
