package dev.millrace.scheduler.expression.gotemplate;

import dev.millrace.scheduler.expression.Computed;
import dev.millrace.scheduler.expression.EvaluationFailed;
import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.NoScope;
import dev.millrace.scheduler.expression.Reads;
import dev.millrace.scheduler.expression.Scope;
import dev.millrace.scheduler.expression.evaluator.Answer;
import dev.millrace.scheduler.expression.evaluator.Engine;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Engine that writes texts with actions. The values of their names come with the request. */
public final class GoEngine implements Engine {
    /** Number of parts for one name: its key, its value, and the name and message of its error if it has no value. */
    private static final int PARTS_OF_NAME = 4;

    /** Makes the parts of a request: the text, followed by {@link #PARTS_OF_NAME} parts for each name. */
    static List<@Nullable String> parts(String source, Map<String, Expression> names, Scope scope) {
        List<@Nullable String> parts = new ArrayList<>();
        parts.add(source);
        names.forEach((key, expression) -> {
            parts.add(key);
            try {
                parts.add(expression.evaluate(scope).text());
                parts.add(null);
                parts.add(null);
            } catch (EvaluationFailed failed) {
                parts.add(null);
                parts.add(failed.name());
                parts.add(failed.sentence());
            }
        });
        return parts;
    }

    @Override
    public Answer evaluate(List<@Nullable String> parts, Lookup values) {
        Map<String, Given> given = new HashMap<>();
        for (int i = 1; i + PARTS_OF_NAME <= parts.size(); i += PARTS_OF_NAME) {
            given.put(
                    Objects.requireNonNull(parts.get(i)),
                    new Given(parts.get(i + 1), parts.get(i + 2), parts.get(i + 3)));
        }
        Node root = new Parser(Objects.requireNonNull(parts.getFirst()), names(given)).template();
        return new Answer.Value(GoText.written(root, NoScope.INSTANCE).text());
    }

    private static GoNames names(Map<String, Given> given) {
        return new GoNames() {
            @Override
            public Optional<Expression> variable(String name) {
                return Optional.ofNullable(given.get(NamesRead.VARIABLE + name));
            }

            @Override
            public Optional<Expression> field(String name) {
                return Optional.ofNullable(given.get(NamesRead.FIELD + name));
            }
        };
    }

    /** Value of a name from the request, or the error of its evaluation. */
    private record Given(
            @Nullable String value,
            @Nullable String error,
            @Nullable String message) implements Computed {
        @Override
        public JsonValue evaluate(Scope scope) {
            if (value == null) {
                throw new EvaluationFailed(Objects.requireNonNull(error), Objects.requireNonNull(message));
            }
            return JsonValue.of(value);
        }

        @Override
        public Reads reads() {
            return Reads.NOTHING;
        }
    }
}
