package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.expression.Composed;
import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.expression.javascript.Binding;
import dev.millrace.scheduler.expression.javascript.Names;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The {@code inputParameters} of a task. */
record Params(Map<String, Template> members) {
    static final Params NONE = new Params(Map.of());

    Params {
        members = Collections.unmodifiableMap(new LinkedHashMap<>(members));
    }

    Template template() {
        return Template.object(members);
    }

    Optional<Template> find(String name) {
        return Optional.ofNullable(members.get(name));
    }

    List<String> names() {
        return new ArrayList<>(members.keySet());
    }

    /** The text of a parameter that contains no expression. */
    Optional<String> text(String name) {
        return find(name)
                .filter(Template.Constant.class::isInstance)
                .map(constant -> ((Template.Constant) constant).value())
                .filter(value -> value.kind() == JsonValue.Kind.STRING)
                .map(JsonValue::string);
    }

    /** The parameters as one object-valued expression. */
    Expression expression() {
        return new Composed(template());
    }

    /** Names that a script can read: the parameters and {@code more}, as members of {@code $}. */
    Names scriptNames(Map<String, Binding> more) {
        Map<String, Binding> bindings = bindings();
        bindings.putAll(more);
        return new Names(Map.of("$", new Binding.Members(bindings)), true);
    }

    /**
     * Names that a script can read, with the members of an object that is known only at run time. Parameters hide
     * members of the same name.
     */
    Names scriptNames(Expression more) {
        return new Names(Map.of("$", new Binding.Members(Optional.of(more), bindings())), true);
    }

    private Map<String, Binding> bindings() {
        Map<String, Binding> bindings = new LinkedHashMap<>();
        members.forEach((name, template) -> bindings.put(name, new Binding.Value(expression(template))));
        return bindings;
    }

    static Expression expression(Template template) {
        return template instanceof Template.Whole whole ? whole.expression() : new Composed(template);
    }
}
