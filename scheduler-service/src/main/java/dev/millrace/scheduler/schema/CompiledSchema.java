package dev.millrace.scheduler.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.ExecutionConfig;
import com.networknt.schema.JsonNodePath;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.PathType;
import com.networknt.schema.ValidationMessage;
import dev.millrace.scheduler.queue.core.Json;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** A schema ready to check values. Immutable and thread-safe; a check costs at most its {@link CheckBudget}. */
public final class CompiledSchema {
    /** Maximum number of problems that one check reports. */
    private static final int PROBLEMS_MAX = 20;

    private final JsonSchema schema;

    CompiledSchema(JsonSchema schema) {
        this.schema = schema;
    }

    /** The rules that a value breaks, at most {@link #PROBLEMS_MAX}; empty if the value is valid. */
    public List<SchemaProblem> check(Json value) {
        return check(JsonSchemas.tree(value));
    }

    /**
     * The same for a value whose reader rounds numbers to 64-bit floats, as the runtimes of scripts do: {@code
     * 0.1000000000000000001} is 0.1 for them. Spends less than {@link #check(Json)}. What cannot be checked has a problem
     * without a rule.
     */
    public List<SchemaProblem> checkRounded(Json value) {
        try {
            return check(JsonSchemas.roundedTree(value), CheckBudget.RULES_FEW);
        } catch (IOException | ArithmeticException | NumberFormatException extreme) {
            return List.of(SchemaProblem.whole("cannot be checked: it holds a number of extreme size"));
        }
    }

    List<SchemaProblem> check(JsonNode value) {
        return check(value, CheckBudget.RULES_MAX);
    }

    private List<SchemaProblem> check(JsonNode value, int rulesMax) {
        Optional<String> large = NumberSize.findTooLarge(value);
        if (large.isPresent()) {
            return List.of(SchemaProblem.whole(
                    "cannot be checked: it holds the number " + large.get() + " (expected: an exponent from -"
                            + NumberSize.EXPONENT_MAX + " to " + NumberSize.EXPONENT_MAX + ")"));
        }
        ExecutionConfig config = new ExecutionConfig();
        config.setLocale(Locale.ROOT);
        CheckBudget budget = new CheckBudget(config, rulesMax);
        try {
            Set<ValidationMessage> messages = ScopedValue.where(CheckBudget.CURRENT, budget)
                    .call(() -> schema.validate(budget, value, value, new JsonNodePath(PathType.JSON_POINTER)));
            return messages.stream().limit(PROBLEMS_MAX).map(SchemaProblem::of).toList();
        } catch (CheckBudget.Exceeded costly) {
            return List.of(SchemaProblem.whole("takes too long to be checked: send less, or simplify the schema"));
        } catch (StackOverflowError deep) {
            return List.of(
                    SchemaProblem.whole("cannot be checked: it, a pattern or the schema's references go too deep"));
        }
    }
}
