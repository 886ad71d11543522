package dev.millrace.scheduler.flow.dialect.openflow;

import dev.millrace.scheduler.flow.core.definition.FlowDefinition;
import dev.millrace.scheduler.flow.core.definition.FlowOptions;
import dev.millrace.scheduler.flow.core.definition.InputSpec;
import dev.millrace.scheduler.flow.core.definition.StepList;
import dev.millrace.scheduler.flow.dialect.Compilation;
import dev.millrace.scheduler.flow.dialect.Dialect;
import dev.millrace.scheduler.flow.dialect.Fields;
import dev.millrace.scheduler.flow.dialect.Problems;
import dev.millrace.scheduler.flow.dialect.SourceNode;
import dev.millrace.scheduler.flow.dialect.openflow.StepIndex.Place;
import dev.millrace.scheduler.flow.dialect.openflow.StepIndex.StepsAt;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Dialect of Windmill's OpenFlow: {@code {summary, value: {modules: […]}, schema}}, or only the value. */
public final class OpenFlowDialect implements Dialect {
    /** Lets scripts keep their own tags; stands in the value or, in older definitions, beside it. */
    static final String KEEP_TAGS = "preserve_step_tags";

    private static final String NAME = "openflow";
    private static final String VALUE = "value";
    private static final String MODULES = "modules";
    private static final List<String> ABOUT_KEYS = List.of("summary", "description", "path", "schema");
    /** Keys that Windmill writes for a stored flow and that do not affect how it runs. */
    private static final List<String> RECORD_KEYS = List.of(
            "workspace_id",
            "edited_by",
            "edited_at",
            "archived",
            "extra_perms",
            "starred",
            "draft_only",
            "labels",
            "version_id",
            "visible_to_runner_only",
            "ws_error_handler_muted",
            "deployment_message",
            "deployment_msg",
            "draft_path",
            "draft_users",
            "inherited_labels",
            "is_draft",
            "lock_error_logs",
            "skip_draft_deletion");
    /** Keys outside the value that affect how the flow runs. */
    private static final List<String> ASKED_KEYS = List.of("tag", "timeout", "priority", KEEP_TAGS);
    /** Keys outside the value that have no effect here. */
    private static final List<String> IGNORED_KEYS = List.of(
            "dedicated_worker", "has_on_behalf_of", "on_behalf_of", "on_behalf_of_email", "preserve_on_behalf_of");

    private static final List<String> KEYS = Stream.of(
                    List.of(VALUE), ABOUT_KEYS, RECORD_KEYS, ASKED_KEYS, IGNORED_KEYS, Erasures.KEYS)
            .flatMap(List::stream)
            .toList();
    private static final List<String> BARE_KEYS =
            Stream.of(ABOUT_KEYS, FlowSettings.KEYS).flatMap(List::stream).toList();

    /** Replacement for a missing value, so that its absence is reported only once. */
    private static final SourceNode NOTHING = new SourceNode.Mapping(
            new SourceNode.Mark(0, 0),
            List.of(new SourceNode.Entry(
                    MODULES,
                    new SourceNode.Mark(0, 0),
                    new SourceNode.Sequence(new SourceNode.Mark(0, 0), List.of()))));

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public boolean recognizes(SourceNode document) {
        return document.member(MODULES).isPresent()
                || document.member(VALUE)
                        .flatMap(value -> value.member(MODULES))
                        .isPresent();
    }

    @Override
    public Compilation compile(SourceNode document, Problems problems) {
        Reading reading = new Reading(problems);
        boolean bare =
                document.member(VALUE).isEmpty() && document.member(MODULES).isPresent();
        Fields flow = reading.fields(document, "", "a flow", bare ? BARE_KEYS : KEYS);
        Fields value = bare ? flow : value(flow, reading);
        flow.ignore(IGNORED_KEYS, "has no effect here.", "Remove it, or leave it for Windmill.");
        if (!bare) {
            new Erasures(reading, flow).warnOfFlow();
        }
        reading.runEverythingAt(flowTag(flow, value));
        reading.noteFailureModule(value.has(FlowSettings.FAILURE_MODULE));
        List<InputSpec> inputs = new Inputs(reading).read(flow);
        StepsAt list = StepsAt.flow();
        StepList steps = new Beginning(reading, value).read(MODULES, list);
        FlowOptions options = new FlowSettings(reading, flow, value).read(steps, new Place(list, Integer.MAX_VALUE));
        new ReferenceCheck(reading).check();
        if (!problems.isEmpty()) {
            return new Compilation.Rejected(NAME, problems.inOrder(), reading.scriptPaths());
        }
        FlowDefinition definition = new FlowDefinition(
                FlowNames.of(flow.text("path"), flow.text("summary")),
                flow.text("summary").or(() -> flow.text("description")).orElse(""),
                inputs,
                steps,
                options);
        return new Compilation.Compiled(
                        NAME, definition, reading.scriptPaths(), reading.inlineScripts(), reading.flows())
                .inBunIfNeeded(reading.bunIfNeeded())
                .using(reading.scriptUses());
    }

    /** The tag that all scripts of the flow get, unless they keep their own. */
    private static Optional<String> flowTag(Fields flow, Fields value) {
        boolean keepsTags =
                (value.has(KEEP_TAGS) ? value : flow).bool(KEEP_TAGS).orElse(false);
        return flow.text("tag").filter(tag -> !tag.isEmpty() && !keepsTags);
    }

    private static Fields value(Fields flow, Reading reading) {
        Optional<SourceNode> value = flow.find(VALUE);
        if (value.isEmpty()) {
            reading.problem(
                    flow.mark(),
                    VALUE,
                    "The flow has no value.",
                    "Add value with a list of modules: {\"modules\": []}.");
        }
        return reading.fields(value.orElse(NOTHING), VALUE, "the value of a flow", FlowSettings.KEYS);
    }
}
