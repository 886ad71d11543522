package dev.millrace.scheduler.expression.jsonpath;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.FixedScope;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Path;
import dev.millrace.scheduler.expression.Reads;
import dev.millrace.scheduler.expression.Resolution;
import dev.millrace.scheduler.expression.Root;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.expression.TemplateReading;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class PathTemplatesTest {
    private record Case(String text, String value) {}

    private static Optional<Expression> find(String holder, String member) {
        return switch (holder + "." + member) {
            case "workflow.input" -> Optional.of(new Path(new Root.Inputs()));
            case "workflow.workflowId" -> Optional.of(new Path(new Root.Run()));
            case "fetch.output", "my task.output" -> Optional.of(new Path(new Root.StepResult("fetch")));
            default -> Optional.empty();
        };
    }

    private static FixedScope scope() {
        return new FixedScope(
                        "{\"a\": {\"b\": [10, {\"c d\": 1.10}]}, \"key\": \"price\", \"null_key\": \"price\", \"n\": 1, \"none\": null, \"big\": 12345678901234567890}")
                .with(
                        "fetch",
                        "{\"price\": 7, \"list\": [{\"id\": 1, \"price\": 5, \"name\": \"x\"}, {\"id\": 2, \"price\": 20, \"name\": \"y\"}]}");
    }

    @TestFactory
    Stream<DynamicTest> resolves() {
        return Stream.of(
                        new Case("plain", "\"plain\""),
                        new Case("${workflow.input.a.b[0]}", "10"),
                        new Case("${workflow.input.a.b[1]['c d']}", "1.10"),
                        new Case("${workflow.input.big}", "12345678901234567890"),
                        new Case("${workflow['input'].key}", "\"price\""),
                        new Case("${ workflow.input.key }", "\"price\""),
                        new Case("${workflow.workflowId}", "\"R\""),
                        new Case("${fetch.output.price}", "7"),
                        new Case("${my task.output.price}", "7"),
                        new Case("${workflow.input.absent.x[3].y}", "null"),
                        new Case("${workflow.input.key.length}", "null"),
                        new Case("${workflow.input.a.b.length}", "null"),
                        new Case("${workflow.input.a.b[9]}", "null"),
                        new Case("${absent.output.x}", "null"),
                        new Case("${workflow.absent}", "null"),
                        new Case(
                                "<${fetch.output.price}|${workflow.input.none}|${workflow.input.a.b}>",
                                "\"<7|null|[10, {\\\"c d\\\": 1.10}]>\""),
                        new Case("${fetch.output.${workflow.input.key}}", "7"),
                        new Case("${fetch.output.list[${workflow.input.n}].name}", "\"y\""),
                        new Case(
                                "${fetch.output.list[${workflow.input.n}].${workflow.input.${workflow.input.absent}_key}}",
                                "20"),
                        new Case("$${workflow.input.a} costs $5", "\"${workflow.input.a} costs $5\""),
                        new Case("${fetch.output.list[*].id}", "[1,2]"),
                        new Case("${fetch.output.list[?(@.price > 10)].name}", "[\"y\"]"),
                        new Case("${fetch.output.list[-1].name}", "\"y\""),
                        new Case("${fetch.output.list.length()}", "2"),
                        new Case("${fetch.output..price}", "[7,5,20]"),
                        new Case("${fetch.output..name}", "[\"x\",\"y\"]"),
                        new Case("${fetch.output.absent[*].x}", "[]"),
                        new Case("${workflow.input.a.b[1:].absent}", "[]"))
                .map(row -> DynamicTest.dynamicTest(
                        row.text(),
                        () -> assertThat(template(row.text()).resolve(scope(), 10_000))
                                .isEqualTo(new Resolution.Resolved(JsonValue.of(row.value())))));
    }

    @TestFactory
    Stream<DynamicTest> saysWhatIsWrong() {
        return Stream.of(
                        new Case(
                                "${workflow.input.a",
                                "The path that begins with \"${workflow.input.a\" is not closed. Close it with }, or write $${ for the characters ${ themselves."),
                        new Case(
                                "${}",
                                "The path \"${}\" names nothing. Begin it with workflow or the reference name of a task, such as ${fetch.output.body}."),
                        new Case(
                                "${fetch.output.list[?(@.name =~ /(a+)+/)]}",
                                "The path \"${fetch.output.list[?(@.name =~ /(a+)+/)]}\" has a regular expression. Filter with ==, <, in and the like, or in a task."),
                        new Case(
                                "${fetch.output..a..b..c}",
                                "The path \"${fetch.output..a..b..c}\" searches all levels more than 2 times. Write out the path to the value."))
                .map(row -> DynamicTest.dynamicTest(row.text(), () -> {
                    assertThat(PathTemplates.read(row.text(), PathTemplatesTest::find))
                            .isInstanceOfSatisfying(
                                    TemplateReading.Unreadable.class,
                                    unreadable -> assertThat(unreadable.message() + " " + unreadable.remedy())
                                            .isEqualTo(row.value()));
                }));
    }

    @Test
    void refusesAPathThatIsNone() {
        assertThat(PathTemplates.read("${fetch.output.list[?(}", PathTemplatesTest::find))
                .isInstanceOf(TemplateReading.Unreadable.class);
    }

    @Test
    void knowsWhatItReads() {
        assertThat(reads("${fetch.output.list[*].id} ${workflow.input.n}"))
                .isEqualTo(new Reads(Set.of("fetch"), false));
        assertThat(reads("${fetch.output.${workflow.input.key}}")).isEqualTo(new Reads(Set.of("fetch"), false));
        assertThat(reads("${${workflow.input.task}.output.id}").anyStep()).isTrue();
    }

    private static Reads reads(String text) {
        List<Expression> expressions = template(text).expressions();
        return expressions.stream().map(Expression::reads).reduce(Reads.NOTHING, Reads::and);
    }

    private static Template template(String text) {
        return switch (PathTemplates.read(text, PathTemplatesTest::find)) {
            case TemplateReading.Read read -> read.template();
            case TemplateReading.Unreadable unreadable -> throw new AssertionError(unreadable.message());
        };
    }
}
