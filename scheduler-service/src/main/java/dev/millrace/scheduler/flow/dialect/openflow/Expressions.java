package dev.millrace.scheduler.flow.dialect.openflow;

import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.ExpressionReading;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.expression.javascript.JavaScript;
import dev.millrace.scheduler.expression.javascript.Names;
import dev.millrace.scheduler.flow.dialect.Fields;
import dev.millrace.scheduler.flow.dialect.SourceNode;
import dev.millrace.scheduler.flow.dialect.openflow.StepIndex.Reference;
import java.util.List;
import java.util.Optional;

/** Reader of the JavaScript expressions of one step. */
final class Expressions {
    /** Keys of a condition, among them the type of a transform, which some definitions have. */
    private static final List<String> CONDITION_KEYS = List.of("expr", "type");

    /** Call of a function that only Windmill has. */
    private static final String USER_STATE = "flow_user_state(";

    private final Reading reading;
    private final Sight sight;
    private final String step;

    Expressions(Reading reading, Sight sight, String step) {
        this.reading = reading;
        this.sight = sight;
        this.step = step;
    }

    String step() {
        return step;
    }

    Sight sight() {
        return sight;
    }

    /** Names that an expression evaluated before the step can read. */
    Names before() {
        return sight.before(reading.steps().byId().keySet());
    }

    /** Reads the expression of a key. */
    Optional<Template> find(Fields fields, String key, Names names) {
        return fields.text(key)
                .flatMap(source -> read(fields.find(key).orElseThrow(), fields.path(key), source, names));
    }

    /** Reads the condition {@code {expr: …}} of a key. */
    Optional<Template> condition(Fields fields, String key, Names names) {
        return fields.find(key).flatMap(node -> {
            Fields condition = reading.fields(node, fields.path(key), "a condition", CONDITION_KEYS);
            return required(condition, names);
        });
    }

    /** Reads the expression {@code expr}, which is required. */
    Optional<Template> required(Fields fields, Names names) {
        if (fields.isObject() && !fields.has("expr")) {
            reading.problem(
                    fields.mark(),
                    fields.path(),
                    "There is no expr here.",
                    "Add expr with a JavaScript expression, for example \"results.a > 3\".");
        }
        return find(fields, "expr", names);
    }

    private Optional<Template> read(SourceNode node, String path, String source, Names names) {
        if (source.contains(USER_STATE)) {
            reading.warn(
                    node.mark(),
                    path,
                    USER_STATE + ") does not exist here: the step will fail.",
                    "Return the value from a module, and read it from results.");
        }
        return switch (JavaScript.read(source, names)) {
            case ExpressionReading.Read read -> Optional.of(note(lenient(read.expression(), source), node, path));
            case ExpressionReading.Unreadable unreadable -> {
                reading.problem(node.mark(), path, unreadable.message(), unreadable.remedy());
                yield Optional.empty();
            }
        };
    }

    /**
     * Makes missing members null in an expression that begins with {@code results}. Windmill looks up
     * {@code results.a.b.c} without JavaScript and returns null for any missing member.
     */
    private static Expression lenient(Expression expression, String source) {
        return source.strip().startsWith("results") ? JavaScript.nullWhereMissing(expression) : expression;
    }

    private Template note(Expression expression, SourceNode node, String path) {
        reading.steps().add(new Reference(expression, sight.place(), step, node.mark(), path));
        return new Template.Whole(expression);
    }
}
