package dev.millrace.scheduler.expression.javascript;

import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.FixedScope;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.expression.TemplateReading;
import org.jspecify.annotations.Nullable;

/** Program that prints the cost of expressions. It is not a test, because times depend on the machine. */
final class ExpressionCost {
    private static final int ROUNDS = 8;

    private ExpressionCost() {}

    public static void main(String[] arguments) {
        FixedScope scope =
                new FixedScope("{\"user\": {\"name\": \"Ada\", \"tags\": [\"a\", \"b\"]}, \"list\": [3, 1, 2]}");
        first("reading the first script, which starts the engine", () -> read("inputs.list.length > 2"));
        Expression simple = read("inputs.list.length > 2");
        first("its first evaluation", () -> simple.evaluate(scope));
        for (int i = 0; i < 3; i++) {
            String source = "inputs.list.map(x => x * " + i + ")";
            first("reading another script", () -> read(source));
            Expression script = read(source);
            first("its first evaluation", () -> script.evaluate(scope));
        }
        repeated("plain path", 1_000_000, path("${{ inputs.user.tags[1] }}"), scope);
        repeated("plain path into a new value", 100_000, path("${{ inputs.user.tags[1] }}"), null);
        repeated("simple script", 20_000, simple, scope);
        repeated("template literal", 20_000, read("`${inputs.user.name}-${index}`"), scope);
        repeated(
                "script with closures",
                20_000,
                read("inputs.list.filter(x => x > 1).map(x => ({x, name: inputs.user.name}))"),
                scope);
        StringBuilder items = new StringBuilder("{\"items\": [{\"id\": 0}");
        for (int i = 1; i < 20_000; i++) {
            items.append(",{\"id\": ").append(i).append(", \"name\": \"item\"}");
        }
        FixedScope large = new FixedScope("{}").with("a", items.append("]}").toString());
        repeated(
                "script over an array of " + items.length() + " characters",
                20,
                read("steps.a.result.items.filter(x => x.id > 5).length"),
                large);
    }

    private static void first(String what, Runnable work) {
        long start = System.nanoTime();
        work.run();
        System.out.printf("%-60s %10.1f µs%n", what, (System.nanoTime() - start) / 1e3);
    }

    private static void repeated(String what, int count, Expression expression, @Nullable FixedScope scope) {
        double best = Double.MAX_VALUE;
        for (int round = 0; round < ROUNDS; round++) {
            long start = System.nanoTime();
            for (int i = 0; i < count; i++) {
                FixedScope seen = scope != null
                        ? scope
                        : new FixedScope(
                                "{\"user\": {\"name\": \"Ada\", \"tags\": [\"a\", \"b\"]}, \"list\": [3, 1, 2]}");
                JsonValue value = expression.evaluate(seen);
                if (value.length() == 0) {
                    throw new AssertionError("no value");
                }
            }
            best = Math.min(best, (System.nanoTime() - start) / 1e3 / count);
        }
        System.out.printf("%-60s %10.3f µs%n", what, best);
    }

    private static Expression path(String text) {
        return Template.read(text, MillraceLanguage.INSTANCE) instanceof TemplateReading.Read read
                ? read.template().expressions().getFirst()
                : read("null");
    }

    private static Expression read(String source) {
        return JavaScriptTest.read(source);
    }
}
