package dev.millrace.scheduler.flow.dialect.fastflow;

import dev.millrace.scheduler.flow.dialect.Fields;
import dev.millrace.scheduler.flow.dialect.Paths;
import dev.millrace.scheduler.flow.dialect.SourceNode;
import dev.millrace.scheduler.flow.dialect.fastflow.PreCheck.Act;
import dev.millrace.scheduler.flow.dialect.fastflow.PreCheck.Condition;
import dev.millrace.scheduler.flow.dialect.fastflow.PreCheck.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reader of {@code preCheck}: checks by name, or a list of checks. */
final class PreChecks {
    private static final List<String> KEYS = List.of("conditions", "act");
    private static final List<String> CONDITION_KEYS = List.of("source", "key", "values", "op");

    private final Reading reading;

    PreChecks(Reading reading) {
        this.reading = reading;
    }

    List<PreCheck> read(Fields task) {
        String key = task.has("preCheck") ? "preCheck" : "preChecks";
        if (key.equals("preCheck")) {
            task.refuse(List.of("preChecks"), "is the same as \"preCheck\".", "Keep one of the two.");
        }
        Optional<SourceNode> node = task.find(key);
        List<PreCheck> checks = new ArrayList<>();
        if (node.isPresent() && node.get() instanceof SourceNode.Sequence sequence) {
            for (SourceNode item : sequence.items()) {
                checks.add(check(item, Paths.element(task.path(key), checks.size())));
            }
        } else if (node.isPresent()) {
            Fields named = Fields.of(reading.problems(), node.get(), task.path(key), key, List.of());
            named.entries().forEach(entry -> checks.add(check(entry.value(), named.path(entry.key()))));
        }
        return checks;
    }

    private PreCheck check(SourceNode node, String path) {
        Fields fields = Fields.of(reading.problems(), node, path, "a check", KEYS);
        List<Condition> conditions = new ArrayList<>();
        Optional<SourceNode> list = fields.find("conditions");
        if (list.isPresent() && list.get() instanceof SourceNode.Sequence sequence) {
            for (SourceNode item : sequence.items()) {
                conditions.add(condition(item, Paths.element(fields.path("conditions"), conditions.size())));
            }
        } else if (fields.isObject()) {
            reading.problem(
                    list.map(SourceNode::mark).orElse(fields.mark()),
                    fields.path("conditions"),
                    "The check has no list of conditions.",
                    "Write conditions: with a list of source, key, op and values.");
        }
        return new PreCheck(conditions, word(fields, "act", "skip", "block").equals("block") ? Act.BLOCK : Act.SKIP);
    }

    private Condition condition(SourceNode node, String path) {
        Fields fields = Fields.of(reading.problems(), node, path, "a condition", CONDITION_KEYS);
        if (fields.isObject() && !fields.has("key")) {
            reading.problem(
                    fields.mark(), path, "The condition has no key.", "Add key, the name of the value to compare.");
        }
        Source source = word(fields, "source", "vars", "share-data").equals("vars") ? Source.VARS : Source.SHARE_DATA;
        boolean in = word(fields, "op", "in", "not-in").equals("in");
        return new Condition(
                source,
                fields.text("key").orElse(""),
                Set.copyOf(Texts.list(reading, fields, "values", "the texts it is compared with")),
                in);
    }

    private String word(Fields fields, String key, String first, String second) {
        Optional<String> word = fields.text(key);
        if (word.filter(text -> text.equals(first) || text.equals(second)).isPresent()) {
            return word.get();
        }
        if (fields.isObject() && (word.isPresent() || !fields.has(key))) {
            reading.problem(
                    fields.find(key).map(SourceNode::mark).orElse(fields.mark()),
                    fields.path(key),
                    word.map(text -> key + " is \"" + text + "\"").orElse(key + " is missing") + " (expected: " + first
                            + " or " + second + ").",
                    "Write " + first + " or " + second + ".");
        }
        return first;
    }
}
