package dev.millrace.scheduler.flow.core.state;

import dev.millrace.scheduler.expression.JsonStrings;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.flow.core.definition.FlowOptions;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What all steps of a flow share: its input, its environment, and its variables with the number of their last change.
 * The flow is that of the run or a sub-flow.
 */
public final class SubFlowScope {
    private record Change(long number, JsonValue value) {}

    private final JsonValue input;
    private final JsonValue env;
    private final Map<String, Change> changes = new TreeMap<>();
    private long last;

    /** Creates the scope of the flow of a run. */
    SubFlowScope(JsonValue input, FlowOptions options) {
        this(input, options, options.env());
    }

    /** Creates the scope of a sub-flow. Without an environment of its own, the sub-flow inherits the one around it. */
    static SubFlowScope inside(SubFlowScope around, JsonValue input, FlowOptions options) {
        boolean hasOwn = !options.env().members().isEmpty();
        return new SubFlowScope(input, options, hasOwn ? options.env() : around.env);
    }

    private SubFlowScope(JsonValue input, FlowOptions options, JsonValue env) {
        this.input = input;
        this.env = env;
        options.variables().members().forEach((name, value) -> changes.put(name, new Change(0, value)));
    }

    public JsonValue input() {
        return input;
    }

    public JsonValue env() {
        return env;
    }

    /** The number of the next change of variables. */
    public long nextChange() {
        return last + 1;
    }

    /**
     * Changes variables. Changes may arrive in any order; for each variable, the change with the highest number wins.
     */
    void change(long number, JsonValue values) {
        last = Math.max(last, number);
        values.members().forEach((name, value) -> {
            Change known = changes.get(name);
            if (known == null || known.number() < number) {
                changes.put(name, new Change(number, value));
            }
        });
    }

    /** Returns all variables as an object. */
    public JsonValue variables() {
        StringBuilder all = new StringBuilder("{");
        changes.forEach((name, change) -> {
            all.append(all.length() == 1 ? "" : ",");
            JsonStrings.appendQuoted(all, name);
            all.append(':').append(change.value());
        });
        return JsonValue.of(all.append('}').toString());
    }

    long weight() {
        long weight = Weights.of(input);
        for (Change change : changes.values()) {
            weight += Weights.KEY + Weights.of(change.value());
        }
        return weight;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof SubFlowScope that
                && input.equals(that.input)
                && last == that.last
                && changes.equals(that.changes);
    }

    @Override
    public int hashCode() {
        return input.hashCode();
    }
}
