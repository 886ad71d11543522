package dev.millrace.scheduler.expression.jq;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.expression.EvaluationFailed;
import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.ExpressionReading;
import dev.millrace.scheduler.expression.FixedScope;
import dev.millrace.scheduler.expression.Path;
import dev.millrace.scheduler.expression.Root;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class JqQueryTest {
    private record Case(String query, String value) {}

    @TestFactory
    Stream<DynamicTest> evaluates() {
        return Stream.of(
                        new Case(".list", "{\"result\":[1,2,3],\"resultList\":[[1,2,3]]}"),
                        new Case(".list[]", "{\"result\":1,\"resultList\":[1,2,3]}"),
                        new Case("empty", "{\"result\":null,\"resultList\":[]}"),
                        new Case(
                                "{a: .name, n: (.list | map(. * 2) | add)}",
                                "{\"result\":{\"a\":\"x\",\"n\":12},\"resultList\":[{\"a\":\"x\",\"n\":12}]}"),
                        new Case(".list | map(select(. > 1)) | length", "{\"result\":2,\"resultList\":[2]}"),
                        new Case(".big", "{\"result\":12345678901234567890,\"resultList\":[12345678901234567890]}"),
                        new Case("[limit(3; range(1; 1e9)) | 1]", "{\"result\":[1,1,1],\"resultList\":[[1,1,1]]}"),
                        new Case("def f(x): x + 1; f(.list[0])", "{\"result\":2,\"resultList\":[2]}"),
                        new Case("$ENV", "{\"result\":{},\"resultList\":[{}]}"))
                .map(row -> DynamicTest.dynamicTest(
                        row.query(), () -> assertThat(outcome(row.query())).isEqualTo(row.value())));
    }

    @TestFactory
    Stream<DynamicTest> stopsWhatTakesTooMuch() {
        return Stream.of(
                        "def f: f; f",
                        "def f: 1 + f; f",
                        "last(range(1e15))",
                        "[range(1e12)] | length",
                        "reduce range(1e12) as $i (0; . + $i)",
                        "last(range(1e15) | select(false))",
                        "until(false; . )",
                        "[while(true; .)]",
                        "[recurse(.)]",
                        "reduce range(100) as $i ([1]; . + .)",
                        "\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab\" | test(\"^(a|a)*$\"), last(range(1e15))")
                .map(query -> DynamicTest.dynamicTest(query, () -> {
                    assertThat(outcome(query)).startsWith("The query \"").contains("\" was stopped: ");
                    assertThat(outcome(".name")).isEqualTo("{\"result\":\"x\",\"resultList\":[\"x\"]}");
                }));
    }

    @TestFactory
    Stream<DynamicTest> looksAtNothingOutside() {
        return Stream.of("env", "input", "inputs", "input_filename", "include \"x\"; .", "import \"x\" as x; .")
                .map(query -> DynamicTest.dynamicTest(
                        query,
                        () -> assertThat(outcome(query)).doesNotContain("PATH").startsWith("The query \"")));
    }

    @Test
    void saysWhatFailed() {
        assertThat(outcome(".name | error")).isEqualTo("The query \".name | error\" failed: x.");
        assertThat(outcome(".name[0]")).startsWith("The query \".name[0]\" failed: ");
        assertThat(JqQuery.read(".a |", new Path(new Root.Inputs()))).isInstanceOf(ExpressionReading.Unreadable.class);
    }

    private static String outcome(String query) {
        try {
            return read(query)
                    .evaluate(new FixedScope("{\"name\": \"x\", \"list\": [1, 2, 3], \"big\": 12345678901234567890}"))
                    .text();
        } catch (EvaluationFailed failed) {
            return failed.sentence();
        }
    }

    private static Expression read(String query) {
        return switch (JqQuery.read(query, new Path(new Root.Inputs()))) {
            case ExpressionReading.Read read -> read.expression();
            case ExpressionReading.Unreadable unreadable -> throw new EvaluationFailed(unreadable.message());
        };
    }
}
