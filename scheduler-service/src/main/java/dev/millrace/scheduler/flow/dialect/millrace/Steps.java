package dev.millrace.scheduler.flow.dialect.millrace;

import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.FlowLimits;
import dev.millrace.scheduler.flow.core.StepAction;
import dev.millrace.scheduler.flow.dialect.Fields;
import dev.millrace.scheduler.flow.dialect.Paths;
import dev.millrace.scheduler.flow.dialect.SourceNode;
import dev.millrace.scheduler.flow.dialect.millrace.Drafts.ListDraft;
import dev.millrace.scheduler.flow.dialect.millrace.Drafts.Need;
import dev.millrace.scheduler.flow.dialect.millrace.Drafts.StepDraft;
import dev.millrace.scheduler.flow.dialect.millrace.Drafts.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Reads one step. */
final class Steps {
    private static final List<String> OWN_KEYS = List.of("id", "needs");
    private static final List<String> LOOP_KEYS = List.of("for_each", "parallelism", "steps", "output");
    private static final List<String> KEYS = Stream.of(OWN_KEYS, TaskFields.KEYS, LOOP_KEYS, List.of("switch"))
            .flatMap(List::stream)
            .toList();
    private static final Pattern ID = Pattern.compile("[A-Za-z_][A-Za-z0-9_-]{0,99}");

    private final Reading reading;
    private final int nesting;

    Steps(Reading reading, int nesting) {
        this.reading = reading;
        this.nesting = nesting;
    }

    /** The step, as far as it could be read; empty where it has no usable id. */
    Optional<StepDraft> read(SourceNode node, String path, Optional<StepDraft> previous) {
        Fields fields = Fields.of(reading.problems(), node, path, "a step", KEYS);
        Optional<String> id = node instanceof SourceNode.Mapping ? id(fields) : Optional.empty();
        List<Need> needs = needs(fields, previous);
        return id.map(name -> step(fields, name, needs));
    }

    private StepDraft step(Fields fields, String id, List<Need> needs) {
        if (fields.has("switch")) {
            fields.refuse(TaskFields.KEYS, "does not apply to a switch.", "Move it into a step of a branch.");
            fields.refuse(
                    LOOP_KEYS,
                    "does not apply to a switch.",
                    "Put the switch into the steps of a loop, or the loop into a branch.");
            return new Switches(reading, nesting).read(fields, id, needs);
        }
        if (fields.has("for_each")) {
            return loop(fields, id, needs);
        }
        fields.refuse(LOOP_KEYS, "needs \"for_each\".", "Add for_each, or remove it.");
        if (!fields.has("script") && !fields.has("handler")) {
            reading.problem(
                    fields.mark(),
                    fields.path(),
                    "Step \"" + id + "\" does nothing.",
                    "Give it one of script, handler, for_each or switch.");
        }
        return task(fields, id, needs);
    }

    private StepDraft task(Fields fields, String id, List<Need> needs) {
        TaskFields task = new TaskFields(reading);
        Value input = task.input(fields);
        return new StepDraft(
                id, fields.mark(), fields.path(), needs, input.references(), List.of(), task.read(fields, input));
    }

    private StepDraft loop(Fields fields, String id, List<Need> needs) {
        Value items = Values.read(reading, fields, "for_each");
        int parallelism =
                fields.whole("parallelism", 1, FlowLimits.PARALLELISM_MAX).orElse(1);
        ListDraft body = body(fields, id);
        StepAction action = new StepAction.ForEach(
                items.template().orElse(Template.Constant.NULL), parallelism, body.list(), body.single());
        return new StepDraft(id, fields.mark(), fields.path(), needs, items.references(), List.of(body), action);
    }

    private ListDraft body(Fields fields, String id) {
        if (fields.has("script") || fields.has("handler")) {
            fields.refuse(
                    List.of("steps", "output"),
                    "cannot stand beside \"" + (fields.has("script") ? "script" : "handler") + "\".",
                    "Put the script into a step of the loop, or remove it.");
            return new ListDraft(List.of(task(fields, id, List.of())), Value.NONE, true, true);
        }
        if (!fields.has("steps")) {
            reading.problem(
                    fields.mark(),
                    fields.path(),
                    "Loop \"" + id + "\" has no body.",
                    "Give it one of script, handler or steps.");
            return new ListDraft(List.of(), Value.NONE, true, false);
        }
        fields.refuse(TaskFields.KEYS, "does not apply to a loop with steps.", "Move it into a step of the loop.");
        return new StepLists(reading).read(fields, true, nesting + 1);
    }

    private Optional<String> id(Fields fields) {
        if (!fields.has("id")) {
            reading.problem(fields.mark(), fields.path(), "The step has no id.", "Add id, for example id: split.");
            return Optional.empty();
        }
        Optional<String> id = fields.text("id");
        if (id.isPresent() && !ID.matcher(id.get()).matches()) {
            reading.problem(
                    fields.find("id").orElseThrow().mark(),
                    fields.path("id"),
                    "\"" + id.get() + "\" is not an id.",
                    "Use at most 100 letters, digits, _ and -, and begin with a letter or _.");
            return Optional.empty();
        }
        return id;
    }

    private List<Need> needs(Fields fields, Optional<StepDraft> previous) {
        Optional<SourceNode> node = fields.find("needs");
        if (node.isEmpty()) {
            return previous.map(step -> List.of(new Need(step.id(), fields.mark(), fields.path())))
                    .orElse(List.of());
        }
        if (!(node.get() instanceof SourceNode.Sequence sequence)) {
            reading.problem(
                    node.get().mark(),
                    fields.path("needs"),
                    "needs is " + node.get().phrase() + " (expected: an array of step ids).",
                    "Write for example needs: [split].");
            return List.of();
        }
        List<Need> needs = new ArrayList<>();
        for (int i = 0; i < sequence.items().size(); i++) {
            String path = Paths.element(fields.path("needs"), i);
            SourceNode item = sequence.items().get(i);
            if (item instanceof SourceNode.Text text) {
                needs.add(new Need(text.text(), text.mark(), path));
            } else {
                reading.problem(
                        item.mark(),
                        path,
                        "This is " + item.phrase() + " (expected: a step id).",
                        "Write the id of a step.");
            }
        }
        return needs;
    }
}
