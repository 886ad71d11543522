package dev.millrace.scheduler.expression.javascript;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.expression.Computed;
import dev.millrace.scheduler.expression.EvaluationFailed;
import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.ExpressionReading;
import dev.millrace.scheduler.expression.FixedScope;
import dev.millrace.scheduler.expression.Path;
import dev.millrace.scheduler.expression.Reads;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class JavaScriptTest {
    private static final String INPUTS = """
            {"list": [3, 1, 2], "users": [{"id": 1, "name": "Ada", "tags": ["a", "b"]}, {"id": 2, "name": "Bob", "tags": []}],
             "user": {"id": 12345678901234567890, "rate": 1.10}, "name": "Ada", "none": null, "safe": 9007199254740991, "length": 5,
             "long": [0.12345678901234567890123, "12345678901234567890"]}
            """;

    private record Case(String source, String value) {}

    private static FixedScope scope() {
        return new FixedScope(INPUTS).with("a", "{\"n\": 7, \"items\": [1, 2]}").with("my-step", "\"x\"");
    }

    @TestFactory
    Stream<DynamicTest> evaluates() {
        return Stream.of(
                        // plain paths with JavaScript's semantics
                        new Case("inputs.name", "\"Ada\""),
                        new Case("inputs.absent", "null"),
                        new Case("inputs.none?.x.y", "null"),
                        new Case("inputs.users[1].name", "\"Bob\""),
                        new Case("inputs.list.length", "3"),
                        new Case("steps.a.result.n", "7"),
                        new Case("steps['my-step'].result", "\"x\""),
                        new Case("outer.item", "\"OUTER\""),
                        new Case("vars.mode", "\"fast\""),
                        new Case("run.id", "\"R\""),
                        // expressions
                        new Case("1 + 1", "2"),
                        new Case("inputs.list.map(x => x * 2)", "[6,2,4]"),
                        new Case("[...inputs.list].sort()", "[1,2,3]"),
                        new Case("inputs.list.sort().reverse()", "[3,2,1]"),
                        new Case(
                                "`${inputs.name} has ${inputs.users[0].tags.length} ${`tags${'}'}`}`",
                                "\"Ada has 2 tags}\""),
                        new Case(
                                "({...inputs.users[0], name: 'Eve'})",
                                "{\"id\":1,\"name\":\"Eve\",\"tags\":[\"a\",\"b\"]}"),
                        new Case("{a: inputs.name, b: [1]}", "{\"a\":\"Ada\",\"b\":[1]}"),
                        new Case("inputs.absent ?? 'default'", "\"default\""),
                        new Case("inputs.absent?.x?.y", "null"),
                        new Case("inputs.none === null && inputs.absent === undefined", "true"),
                        new Case("inputs.users.find(({name}) => name == 'Bob')?.id", "2"),
                        new Case("Object.keys(inputs).length", "8"),
                        new Case("inputs.length > 3 ? 'many' : 'few'", "\"many\""),
                        new Case("inputs['length'] + 1", "6"),
                        new Case("inputs.hasOwnProperty('name')", "true"),
                        new Case("'name' in inputs", "true"),
                        new Case("steps.a.result.n + steps['my-step'].result", "\"7x\""),
                        new Case("steps[inputs.name === 'Ada' ? 'a' : 'b'].result.n", "7"),
                        new Case("steps[`my-${'step'}`]?.result", "\"x\""),
                        new Case("steps['a' + '']?.result.n + (steps['b' + '']?.result ?? 1)", "8"),
                        new Case("typeof steps.absent", "\"undefined\""),
                        new Case(
                                "item.name + index + outer.item + outer.index + vars.mode + run.id",
                                "\"ITEM4OUTER9fastR\""),
                        new Case("inputs.users.map(item => item.id)", "[1,2]"),
                        new Case("undefined", "null"),
                        new Case("Number.NaN", "null"),
                        new Case("/^A/.test(inputs.name)", "true"),
                        new Case("'a-b-c'.split(/-/g).join('/') / 1 || 4 / 2 / 1", "2"),
                        new Case("new Date(0).toISOString()", "\"1970-01-01T00:00:00.000Z\""),
                        new Case("inputs.name // a comment", "\"Ada\""),
                        new Case("/* a */ [1, 2].includes(2)", "true"),
                        new Case("new Map([[1, 2]]).get(1)", "2"),
                        new Case("[[1, [2]], 3].flat(Infinity)", "[1,2,3]"),
                        new Case("Array.from({length: 3}, (_, i) => i)", "[0,1,2]"),
                        new Case("Array.from('ab')", "[\"a\",\"b\"]"),
                        new Case("[1,2,3].at(-1)", "3"),
                        new Case("Object.groupBy([1,2,3], x => x % 2 ? 'odd' : 'even').odd", "[1,3]"),
                        // bodies
                        new Case("const x = 1;\nreturn x + 1", "2"),
                        new Case("if (inputs.name) { return 'yes' } return 'no'", "\"yes\""),
                        new Case("return inputs.list", "[3, 1, 2]"),
                        new Case("let sum = 0;\nfor (const x of inputs.list) sum += x;\nsum", "6"),
                        new Case(
                                "function e() { if (inputs.name == 'Ada') { return {result: true} } else { return {} } } e();",
                                "{\"result\":true}"),
                        new Case("const a = 1\nconst b = 2\na\n + b", "3"),
                        new Case("(function () { return 5 })();", "5"),
                        new Case("const {name, ...rest} = inputs; return Object.keys(rest).length", "7"),
                        new Case(
                                "try { null.x } catch (error) { return error.message }",
                                "\"Cannot read property 'x' of null\""),
                        new Case(
                                "class E extends Error { constructor() { super('m'); this.name = 'E' } }; return String(new E())",
                                "\"E: m\""),
                        new Case(
                                "const counts = {}; for (const w of ['constructor', 'a', 'a']) counts[w] = (Object.hasOwn(counts, w) ? counts[w] : 0) + 1; return counts",
                                "{\"constructor\":1,\"a\":2}"),
                        new Case("(function () { return Array.prototype.slice.call(arguments, 1) })(1, 2)", "[2]"),
                        // numbers
                        new Case("inputs.safe + 0", "9007199254740991"),
                        new Case("({id: inputs.user.id})", "{\"id\":12345678901234567890}"),
                        new Case("true && inputs.user", "{\"id\":12345678901234567890,\"rate\":1.1}"),
                        new Case("[...inputs.long]", "[0.12345678901234567890123,\"12345678901234567890\"]"),
                        new Case("0.1 + 0.2", "0.30000000000000004"))
                .map(row -> DynamicTest.dynamicTest(
                        row.source(),
                        () -> assertThat(read(row.source())
                                        .evaluate(scope())
                                        .text()
                                        .replace(" ", ""))
                                .isEqualTo(row.value().replace(" ", ""))));
    }

    @TestFactory
    Stream<DynamicTest> hasTheSameValueInsideAnotherExpression() {
        return Stream.of(
                        "inputs.list.map(x => { return x + 1 })",
                        "inputs.users.find(function (user) { return user.id === 2 }).name",
                        "inputs.name === 'return' ? 1 : 2 // return",
                        "inputs.list.length + ';'.length",
                        "`return ${inputs.name};`",
                        "({total() { return inputs.list.length }}).total()",
                        "const x = 1;\nreturn x + inputs.length",
                        "if (inputs.name) { return 'yes' } return 'no'",
                        "let sum = 0;\nfor (const x of inputs.list) sum += x;\nsum",
                        "function twice(x) { return 2 * x } twice(inputs.length);",
                        "const double = inputs.list.map(x => { return 2 * x }); double.length",
                        "if (inputs.length > 3) { inputs.name } else { null }")
                .map(source -> DynamicTest.dynamicTest(source, () -> {
                    Computed script = (Computed) read(source);
                    String operand = script.operand().orElseThrow();
                    String value = script.evaluate(scope()).text();
                    assertThat(value).isNotEqualTo("null");
                    assertThat(read("[" + operand + ", " + operand + "]")
                                    .evaluate(scope())
                                    .text())
                            .isEqualTo("[" + value + "," + value + "]");
                }));
    }

    @TestFactory
    Stream<DynamicTest> saysWhatIsWrongWithTheText() {
        return Stream.of(
                        new Case(
                                "inputs.a +",
                                "The expression \"inputs.a +\" is not JavaScript: Expected an operand but found its end. Correct the expression."),
                        new Case(
                                "const a = 1;\nconst b = = 2;\nreturn a",
                                "The expression \"const a = 1; const b = = 2; return a\" is not JavaScript: Expected an operand but found = (line 2, column 11). Correct the expression."),
                        new Case(
                                "a b",
                                "The expression \"a b\" is not JavaScript: Expected ) but found b (line 1, column 3). Correct the expression."),
                        new Case(
                                "f(1",
                                "A bracket is not closed in the expression \"f(1\" (line 1, column 4). Correct the expression; it is read as JavaScript."),
                        new Case(
                                "1)",
                                "\")\" closes nothing in the expression \"1)\" (line 1, column 2). Correct the expression; it is read as JavaScript."),
                        new Case(
                                "'abc",
                                "A string is not closed in the expression \"'abc\" (line 1, column 1). Correct the expression; it is read as JavaScript."),
                        new Case(
                                "await x()",
                                "The expression uses \"await\", but expressions are not asynchronous and load nothing. Compute it without, or in a step of its own."),
                        new Case(
                                "import('fs')",
                                "The expression uses \"import\", but expressions are not asynchronous and load nothing. Compute it without, or in a step of its own."),
                        new Case(
                                "const a = 1",
                                "The expression \"const a = 1\" has no value. End it with a return, or with an expression of its own."),
                        new Case("  ", "The expression is empty. Write what its value is."))
                .map(row -> DynamicTest.dynamicTest("<" + row.source() + ">", () -> {
                    ExpressionReading reading = MillraceLanguage.INSTANCE.read(row.source());
                    assertThat(reading).isInstanceOf(ExpressionReading.Unreadable.class);
                    ExpressionReading.Unreadable unreadable = (ExpressionReading.Unreadable) reading;
                    assertThat(unreadable.message() + " " + unreadable.remedy()).isEqualTo(row.value());
                }));
    }

    @TestFactory
    Stream<DynamicTest> saysWhatFailed() {
        return Stream.of(
                        new Case(
                                "inputs.absent.x",
                                "The expression \"inputs.absent.x\" failed: it looks for .x in undefined."),
                        new Case(
                                "inputs.none.x + 1",
                                "The expression \"inputs.none.x + 1\" failed: TypeError: Cannot read property 'x' of null (line 1)."),
                        new Case(
                                "absent + 1",
                                "The expression \"absent + 1\" failed: ReferenceError: absent is not defined (line 1)."),
                        new Case(
                                "const a = 1;\nthrow new Error('no ' + a);\nreturn 1",
                                "The expression \"const a = 1; throw new Error('no ' + a); return 1\" failed: Error: no 1 (line 2)."),
                        new Case(
                                "const a = {}; a.a = a; return a",
                                "The expression \"const a = {}; a.a = a; return a\" failed: TypeError: Converting circular structure to JSON."),
                        new Case(
                                "outer.outer.item + 1",
                                "outer.outer.item does not exist here: the step is inside fewer loops."))
                .map(row -> DynamicTest.dynamicTest(
                        row.source(),
                        () -> assertThat(failure(read(row.source()))).isEqualTo(row.value())));
    }

    @Test
    void knowsWhatItReads() {
        assertThat(read("steps.a.result + steps['b'].result[0]").reads()).isEqualTo(new Reads(Set.of("a", "b"), false));
        assertThat(read("steps[inputs.x].result").reads().anyStep()).isTrue();
        assertThat(read("Object.keys(steps)").reads().anyStep()).isTrue();
        assertThat(read("inputs.steps + 1").reads()).isEqualTo(Reads.NOTHING);
        assertThat(read("({steps: 1}).steps").reads()).isEqualTo(Reads.NOTHING);
        assertThat(paths("steps.a.result.n + inputs.b + inputs['c'].d"))
                .containsExactlyInAnyOrder("steps.a.result", "inputs.b", "inputs.c");
        assertThat(paths("inputs.list.map((item, index) => item + index)")).containsExactly("inputs.list");
        assertThat(paths("const {error, result} = inputs.x; return error || result"))
                .containsExactly("inputs.x");
        assertThat(paths("item.x || outer.index")).containsExactly("item.x", "outer.index");
    }

    private static List<String> paths(String source) {
        return read(source) instanceof Computed computed
                ? computed.paths().stream().map(Path::toString).toList()
                : List.of();
    }

    static String failure(Expression expression) {
        try {
            return "a value: " + expression.evaluate(scope());
        } catch (EvaluationFailed failed) {
            return failed.sentence();
        }
    }

    static Expression read(String source) {
        return switch (MillraceLanguage.INSTANCE.read(source)) {
            case ExpressionReading.Read read -> read.expression();
            case ExpressionReading.Unreadable unreadable ->
                throw new AssertionError(unreadable.message() + " " + unreadable.remedy());
        };
    }
}
