package dev.millrace.scheduler.expression.gotemplate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.expression.Composed;
import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.FixedScope;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Path;
import dev.millrace.scheduler.expression.Resolution;
import dev.millrace.scheduler.expression.Root;
import dev.millrace.scheduler.expression.TemplateReading;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class GoTemplatesTest {
    private record Case(String text, String value) {}

    private static final GoNames NAMES = new GoNames() {
        @Override
        public Optional<Expression> variable(String name) {
            return name.equals("fileName")
                    ? Optional.of(Composed.constant(JsonValue.ofString("a{{.vars}}.txt")))
                    : Optional.empty();
        }

        @Override
        public Optional<Expression> field(String name) {
            return switch (name) {
                case "vars" -> Optional.of(new Path(new Root.Inputs()));
                case "shareData" -> Optional.of(new Path(new Root.Variables()));
                default -> Optional.empty();
            };
        }
    };

    @TestFactory
    Stream<DynamicTest> resolves() {
        return Stream.of(
                        new Case("plain", "plain"),
                        new Case("rm {{fileName}} now", "rm a{{.vars}}.txt now"),
                        new Case("{{ .vars.x.Value }}-{{.shareData.mode}}", "X-fast"),
                        new Case("{{.vars.n}} {{.vars.list}} {{.vars.none}}", "3 [1, 2] <nil>"),
                        new Case("{{if eq .vars.n 3}}three{{else}}other{{end}}", "three"),
                        new Case("{{if .vars.empty}}a{{else if gt .vars.n 2}}b{{else}}c{{end}}", "b"),
                        new Case("{{if and .vars.n (not .vars.empty)}}yes{{end}}", "yes"),
                        new Case("{{or .vars.empty \"default\"}}", "default"),
                        new Case("{{if ne .shareData.mode `slow`}}ok{{end}}", "ok"),
                        new Case("{{eq .vars.n 1 2 3}} {{le 1.5 2}} {{lt \"a\" \"b\"}}", "true true true"),
                        new Case("{{index .vars.list 1}} {{index .vars \"x\" \"Value\"}} {{len .vars.list}}", "2 X 2"),
                        new Case(
                                "{{printf \"%s-%03d|%-5s|%q|%.2f|%v%%\" .vars.x.Value .vars.n \"a\" \"b\" 1.5 true}}",
                                "X-003|a    |\"b\"|1.50|true%"),
                        new Case("{{.vars.n | printf \"%d!\" | len}}", "2"),
                        new Case("{{range .vars.list}}[{{.}}]{{else}}none{{end}}", "[1][2]"),
                        new Case("{{range .vars.users}}{{.name}} {{end}}", "Ada Bob "),
                        new Case("{{range .vars.empty}}x{{else}}none{{end}}", "none"),
                        new Case("{{with .vars.x}}{{.Value}}{{end}}", "X"),
                        new Case("a {{- /* no */ -}} b {{- \" c\" -}}  d", "ab cd"),
                        new Case("{{\"{{\"}}", "{{"),
                        new Case("{{true}} {{nil}} {{print 1 \"a\"}}", "true <nil> 1a"))
                .map(row -> DynamicTest.dynamicTest(
                        row.text(),
                        () -> assertThat(resolve(row.text()))
                                .isEqualTo(new Resolution.Resolved(JsonValue.ofString(row.value())))));
    }

    @TestFactory
    Stream<DynamicTest> failsWhereAKeyIsMissing() {
        return Stream.of(
                        new Case("{{absent}}", "There is no \"absent\" for {{absent}}."),
                        new Case("{{.absent.x}}", "There is no \".absent\" for {{.absent}}."),
                        new Case(
                                "{{.vars.x.Other}}",
                                "{{.vars.x.Other}} does not exist: there is no key \"Other\" in an object with the keys \"Value\"."),
                        new Case("{{.vars.n.x}}", "{{.vars.n.x}} does not exist: there is no key \"x\" in a number."),
                        new Case(
                                "{{index .vars.list 9}}",
                                "An action of a text failed: index 9 does not exist in an array."),
                        new Case(
                                "{{printf \"%d\" \"a\"}}",
                                "An action of a text failed: printf cannot write a string as a number."))
                .map(row -> DynamicTest.dynamicTest(
                        row.text(),
                        () -> assertThat(resolve(row.text()))
                                .isInstanceOfSatisfying(
                                        Resolution.Unresolved.class,
                                        unresolved ->
                                                assertThat(unresolved.message()).isEqualTo(row.value()))));
    }

    @TestFactory
    Stream<DynamicTest> saysWhatIsWrongWithTheText() {
        return Stream.of(
                        new Case("{{.vars.n", "an action is not closed with }}"),
                        new Case("{{if .vars.n}}a", "an action is not ended with {{end}}"),
                        new Case("a{{end}}", "{{end}} closes nothing"),
                        new Case("{{}}", "an action is empty"),
                        new Case(
                                "{{upper .vars.n}}",
                                "\"upper\" is unknown in {{upper .vars.n}}; functions are and, eq, ge, gt, index, le, len, lt, ne, not, or, print, printf, println"),
                        new Case("{{not 1 2}}", "not does not take 2 arguments in {{not 1 2}}"),
                        new Case("{{$x := 1}}", "{{$x := 1}} cannot be read from \":= 1\" on"))
                .map(row -> DynamicTest.dynamicTest(
                        row.text(),
                        () -> assertThat(GoTemplates.read(row.text(), NAMES))
                                .isInstanceOfSatisfying(
                                        TemplateReading.Unreadable.class,
                                        unreadable -> assertThat(unreadable.message())
                                                .endsWith(" is not a template: " + row.value() + "."))));
    }

    private static Resolution resolve(String text) {
        FixedScope scope = new FixedScope(
                "{\"x\": {\"Value\": \"X\"}, \"n\": 3, \"list\": [1, 2], \"none\": null, \"empty\": [], \"users\": [{\"name\": \"Ada\"}, {\"name\": \"Bob\"}]}");
        return switch (GoTemplates.read(text, NAMES)) {
            case TemplateReading.Read read -> read.template().resolve(scope, 10_000);
            case TemplateReading.Unreadable unreadable -> throw new AssertionError(unreadable.message());
        };
    }
}
