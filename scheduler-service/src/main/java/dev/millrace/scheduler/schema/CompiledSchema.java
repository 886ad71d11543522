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

/**
 * A schema ready to check values. Immutable and thread-safe.
 *
 * <p>A check costs at most its {@link CheckBudget}. One that costs more than a {@link Spending#SMALL} begins again once it is its
 * turn, and the caller waits.
 */
public final class CompiledSchema {
    /** Maximum number of problems that one check reports. */
    private static final int PROBLEMS_MAX = 20;

    private static final List<SchemaProblem> TOO_COSTLY =
            List.of(SchemaProblem.whole("takes too long to be checked: send less, or simplify the schema"));

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
            JsonNode tree = JsonSchemas.roundedTree(value);
            return checkSmall(tree).orElseGet(() -> checkOptional(tree));
        } catch (IOException | ArithmeticException | NumberFormatException extreme) {
            return List.of(SchemaProblem.whole("cannot be checked: it holds a number of extreme size"));
        }
    }

    List<SchemaProblem> check(JsonNode value) {
        return checkSmall(value).orElseGet(() -> checkCostly(value));
    }

    /** The same for a caller whose turn it is already. */
    List<SchemaProblem> checkInTurn(JsonNode value) {
        return check(value, Spending.FULL).orElse(TOO_COSTLY);
    }

    private Optional<List<SchemaProblem>> checkSmall(JsonNode value) {
        return check(value, Spending.SMALL);
    }

    private List<SchemaProblem> checkCostly(JsonNode value) {
        CostlyTurns.await();
        try {
            return checkInTurn(value);
        } finally {
            CostlyTurns.end();
        }
    }

    private List<SchemaProblem> checkOptional(JsonNode value) {
        if (!CostlyTurns.awaitBriefly()) {
            return TOO_COSTLY;
        }
        try {
            return check(value, Spending.OPTIONAL).orElse(TOO_COSTLY);
        } finally {
            CostlyTurns.end();
        }
    }

    /** The problems of a value; empty if it costs more than it may to find them. */
    private Optional<List<SchemaProblem>> check(JsonNode value, Spending max) {
        Optional<String> large = NumberSize.findTooLarge(value);
        if (large.isPresent()) {
            return Optional.of(List.of(SchemaProblem.whole(
                    "cannot be checked: it holds the number " + large.get() + " (expected: an exponent from -"
                            + NumberSize.EXPONENT_MAX + " to " + NumberSize.EXPONENT_MAX + ")")));
        }
        ExecutionConfig config = new ExecutionConfig();
        config.setLocale(Locale.ROOT);
        CheckBudget budget = new CheckBudget(config, max);
        try {
            Set<ValidationMessage> messages = ScopedValue.where(CheckBudget.CURRENT, budget)
                    .call(() -> schema.validate(budget, value, value, new JsonNodePath(PathType.JSON_POINTER)));
            return Optional.of(
                    messages.stream().limit(PROBLEMS_MAX).map(SchemaProblem::of).toList());
        } catch (CheckBudget.Exceeded costly) {
            return Optional.empty();
        } catch (StackOverflowError deep) {
            return Optional.of(List.of(
                    SchemaProblem.whole("cannot be checked: it, a pattern or the schema's references go too deep")));
        }
    }
}
