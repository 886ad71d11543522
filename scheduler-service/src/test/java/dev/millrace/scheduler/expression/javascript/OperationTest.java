package dev.millrace.scheduler.expression.javascript;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.expression.EvaluationFailed;
import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.ExpressionReading;
import dev.millrace.scheduler.expression.FixedScope;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.javascript.operators.Operation;
import dev.millrace.scheduler.expression.javascript.operators.Operator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Tests that operators in Java yield the same values as JavaScript, or leave the evaluation to the engine. */
final class OperationTest {
    private static final int SCRIPTS = Integer.getInteger("millrace.test.scripts", 1_500);
    private static final int DEPTH_MAX = 4;
    private static final List<String> OPERATORS = List.of(
            "+", "-", "*", "/", "%", "<", "<=", ">", ">=", "===", "!==", "==", "!=", "&&", "||", "??", "**", "&");
    private static final List<String> OPERANDS = List.of(
            "0",
            "1",
            "2.5",
            "1000000",
            "1e3",
            "'a'",
            "''",
            "\"0\"",
            "'10'",
            "true",
            "false",
            "null",
            "undefined",
            "inputs.zero",
            "inputs.n",
            "inputs.price",
            "inputs.sum",
            "inputs.big",
            "inputs.precise",
            "inputs.tiny",
            "inputs.huge",
            "inputs.minus",
            "inputs.name",
            "inputs.empty",
            "inputs.smile",
            "inputs.half",
            "inputs.yes",
            "inputs.none",
            "inputs.none?.x.y",
            "inputs.absent",
            "inputs.absent?.x",
            "inputs.absent?.x.y",
            "inputs.absent?.x?.y",
            "inputs.user.name",
            "inputs.user.absent",
            "inputs.user['toString']",
            "inputs.user",
            "inputs.list",
            "inputs.list.length",
            "inputs.list[1]",
            "inputs.list[7]",
            "inputs.name.length",
            "inputs.name[0]",
            "inputs['a b']",
            "steps.a.result",
            "steps.a.result.n",
            "steps.a?.result",
            "steps.none?.result",
            "item.id",
            "item",
            "index",
            "outer.index",
            "vars.mode",
            "env.region",
            "run.id");

    private static FixedScope scope() {
        return new FixedScope("""
                {"zero": 0, "n": 7, "price": 1.10, "sum": 0.30000000000000004, "big": 12345678901234567890, "precise": 0.12345678901234567890123,
                 "tiny": 1e-9, "huge": 1E30, "minus": -0.0, "name": "Ada", "empty": "", "smile": "\\ud83d\\ude00", "half": "\\ud83d", "yes": true,
                 "none": null, "user": {"name": "Bob"}, "list": [3, "x", null], "a b": "c\\n\\u0007"}
                """).with("a", "{\"n\": 40}").with("none", "null");
    }

    private record Case(String source, String value) {}

    @TestFactory
    Stream<DynamicTest> worksOutWithoutTheEngine() {
        return Stream.of(
                        new Case("inputs.n + 0", "7"),
                        new Case("1 + 2 * 3 - 4 / 2 % 2", "7"),
                        new Case("-(1 - 3)", "2"),
                        new Case("inputs.sum + 0", "0.30000000000000004"),
                        new Case("1 / 0", "null"),
                        new Case("0 * -1", "0"),
                        new Case("1000000 * 1000000 * 1000000", "1000000000000000000"),
                        new Case("'a' + 1.50 + true + null", "\"a1.5truenull\""),
                        new Case("inputs.n > 5 && inputs.name === 'Ada'", "true"),
                        new Case("!inputs.absent || inputs.none.x", "true"),
                        new Case("inputs.absent ?? 'default'", "\"default\""),
                        new Case("inputs.absent?.x?.y ?? 1", "1"),
                        new Case("inputs.none == undefined && inputs.none !== undefined", "true"),
                        new Case("inputs.list.length > 2 ? steps.a.result.n : 0", "40"),
                        new Case("inputs.user ? 1 : 2", "1"),
                        new Case("'a' < 'b'", "true"),
                        new Case("item.id === 7", "true"))
                .map(row -> DynamicTest.dynamicTest(
                        row.source(),
                        () -> assertThat(operation(row.source()).value(scope()).map(Object::toString))
                                .contains(row.value())));
    }

    @TestFactory
    Stream<DynamicTest> leavesToTheEngine() {
        return Stream.of(
                        "inputs.big + 0",
                        "'1' < 2",
                        "'1' == 1",
                        "inputs.list + 1",
                        "inputs.user == inputs.user",
                        "inputs.none.x + 1",
                        "inputs.user.toString === undefined",
                        "steps.none?.result === null",
                        "inputs.tiny + ''",
                        "inputs.smile + ''",
                        "true && inputs.user")
                .map(source -> DynamicTest.dynamicTest(
                        source,
                        () -> assertThat(operation(source).value(scope())).isEmpty()));
    }

    @TestFactory
    Stream<DynamicTest> isMoreThanOperators() {
        return Stream.of(
                        "inputs.list.map(x => x * 2)",
                        "inputs.n ** 2",
                        "`${inputs.n}`",
                        "'\\n' + 1",
                        "absent + 1",
                        "typeof inputs.n",
                        "inputs.list[index]",
                        "[1, 2]",
                        "1" + " + 1".repeat(60))
                .map(source -> DynamicTest.dynamicTest(
                        source, () -> assertThat(script(source).operation()).isEmpty()));
    }

    @TestFactory
    Stream<DynamicTest> agreesWithTheEngineOnEachPairOfOperands() {
        return OPERATORS.stream()
                .filter(symbol -> Operator.of(symbol).isPresent())
                .map(symbol ->
                        DynamicTest.dynamicTest(symbol, () -> OPERANDS.forEach(left -> compareAll(left, symbol))));
    }

    /** Compares with the engine, which evaluates all of them at once, in an array. */
    private static void compareAll(String left, String symbol) {
        List<String> sources = OPERANDS.stream()
                .map(right -> left + " " + symbol + " " + right)
                .filter(source -> value(source).isPresent())
                .toList();
        if (!sources.isEmpty()) {
            List<JsonValue> values = JavaScriptTest.read("[" + String.join(", ", sources) + "]")
                    .evaluate(scope())
                    .elements();
            for (int i = 0; i < sources.size(); i++) {
                assertThat(value(sources.get(i))).as(sources.get(i)).contains(values.get(i));
            }
        }
    }

    private static Optional<JsonValue> value(String source) {
        return OperationReader.read(source, Lexer.tokens(source), MillraceLanguage.NAMES)
                .flatMap(operation -> operation.value(scope()));
    }

    /** Set {@code -Dmillrace.test.seed} to repeat a run and {@code -Dmillrace.test.scripts} to try more scripts. */
    @Test
    void agreesWithTheEngine() {
        long seed = Long.getLong("millrace.test.seed", System.nanoTime());
        System.out.println("operations: -Dmillrace.test.seed=" + seed);
        Random random = new Random(seed);
        int compared = 0;
        for (int i = 0; i < SCRIPTS; i++) {
            String source = source(random, 1 + random.nextInt(DEPTH_MAX));
            if (MillraceLanguage.INSTANCE.read(source) instanceof ExpressionReading.Read(Expression expression)
                    && expression instanceof Script script
                    && script.operation().flatMap(known -> known.value(scope())).isPresent()) {
                assertThat(outcome(script))
                        .as("%s, seed %d", source, seed)
                        .isEqualTo(outcome(withoutOperation(script)));
                compared++;
            }
        }
        // About a quarter of the random sources are operations. A tenth is enough to show that some were compared.
        assertThat(compared).isGreaterThan(SCRIPTS / 10);
    }

    private static String source(Random random, int depth) {
        if (depth == 0) {
            return OPERANDS.get(random.nextInt(OPERANDS.size()));
        }
        String inner = source(random, depth - 1);
        return switch (random.nextInt(8)) {
            case 0 -> "!" + inner;
            case 1 -> "-" + inner;
            case 2 -> "(" + inner + ")";
            case 3 -> inner + " ? " + source(random, depth - 1) + " : " + source(random, random.nextInt(depth));
            default ->
                inner + " " + OPERATORS.get(random.nextInt(OPERATORS.size())) + " "
                        + source(random, random.nextInt(depth));
        };
    }

    private static String outcome(Expression expression) {
        try {
            return expression.evaluate(scope()).text();
        } catch (EvaluationFailed failed) {
            return failed.sentence();
        }
    }

    private static Operation operation(String source) {
        return script(source).operation().orElseThrow();
    }

    private static Script script(String source) {
        return (Script) JavaScriptTest.read(source);
    }

    private static Script withoutOperation(Script script) {
        return new Script(
                script.source(),
                script.function(),
                script.leavesTraces(),
                script.javaMethods(),
                Optional.empty(),
                script.statements(),
                script.parameters(),
                script.declared());
    }
}
