package dev.millrace.scheduler.expression.javascript;

import dev.millrace.scheduler.expression.EvaluationFailed;
import dev.millrace.scheduler.expression.JsonStrings;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Scope;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Writer of the values that a script reads, as JSON. Objects are reduced to the members that the script names. */
final class Reader {
    private final Scope scope;
    private final int charsMax;
    private int charsBefore;
    private StringBuilder target = new StringBuilder();

    Reader(Scope scope, int charsMax) {
        this.scope = scope;
        this.charsMax = charsMax;
    }

    /** Returns the JSON for one name. */
    String text(Binding binding, Usage usage) {
        charsBefore += target.length();
        target = new StringBuilder();
        write(binding, usage);
        return target.toString();
    }

    private void write(Binding binding, Usage usage) {
        switch (binding) {
            case Binding.Value value -> write(value.expression().evaluate(scope), usage);
            case Binding.Members object -> writeMembers(object, usage);
            case Binding.Steps _ -> writeSteps(usage, true);
            case Binding.StepResults _ -> writeSteps(usage, false);
        }
        if (charsBefore + target.length() > charsMax) {
            throw new EvaluationFailed(
                    "PayloadTooLarge",
                    "An expression reads more than the limit of " + charsMax
                            + " characters. Read smaller parts, such as steps.a.result.items instead of steps.a.result, or compute it in a step.");
        }
    }

    private void writeMembers(Binding.Members object, Usage usage) {
        Separated separated = new Separated();
        object.members().forEach((key, binding) -> {
            Usage part = usage.of(key);
            if (part != null) {
                separated.key(key);
                write(binding, part);
            }
        });
        object.base().ifPresent(base -> {
            JsonValue value = base.evaluate(scope);
            if (value.kind() == JsonValue.Kind.OBJECT) {
                writeMembers(value, usage, object.members().keySet(), separated);
            }
        });
        target.append(separated.started ? "}" : "{}");
    }

    private void writeSteps(Usage usage, boolean wrapped) {
        Separated separated = new Separated();
        usage.members().forEach((id, part) -> {
            Optional<JsonValue> result = scope.findStepResult(id);
            if (result.isPresent()) {
                separated.key(id);
                if (wrapped) {
                    writeStep(result.get(), part.of("result"));
                } else {
                    write(result.get(), part);
                }
            }
        });
        target.append(separated.started ? "}" : "{}");
    }

    private void writeStep(JsonValue result, @Nullable Usage usage) {
        target.append("{");
        if (usage != null) {
            target.append("\"result\":");
            write(result, usage);
        }
        target.append("}");
    }

    private void write(JsonValue value, Usage usage) {
        if (usage.isWhole() || value.kind() != JsonValue.Kind.OBJECT) {
            value.appendTo(target);
            return;
        }
        Separated separated = new Separated();
        writeMembers(value, usage, Set.of(), separated);
        target.append(separated.started ? "}" : "{}");
    }

    private void writeMembers(JsonValue object, Usage usage, Set<String> hidden, Separated separated) {
        for (Map.Entry<String, JsonValue> member : object.members().entrySet()) {
            Usage part = usage.of(member.getKey());
            if (part != null && !hidden.contains(member.getKey())) {
                separated.key(member.getKey());
                write(member.getValue(), part);
            }
        }
    }

    /** Writer of keys with their separators. */
    private final class Separated {
        private boolean started;

        void key(String key) {
            target.append(started ? ',' : '{');
            started = true;
            JsonStrings.appendQuoted(target, key);
            target.append(':');
        }
    }
}
