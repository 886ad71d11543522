package dev.millrace.scheduler.expression;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.expression.jsonpath.PathTemplates;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PathTemplatesTest {
    private static final Map<String, String> VALUES = Map.of(
            "workflow.input",
                    "{\"big\": 12345678901234567890, \"key\": \"b\", \"i\": 1, \"a key\": true, \"none\": null}",
            "fetch.output", "{\"items\": [{\"id\": 1, \"b\": {\"id\": 3}}, {\"id\": 2}], \"b\": [\"x\", \"y\"]}");

    private static TemplateReading read(String text) {
        return PathTemplates.read(
                text,
                (holder, member) -> Optional.ofNullable(VALUES.get(holder + "." + member))
                        .map(value -> Composed.constant(JsonValue.of(value))));
    }

    private static String value(String text) {
        assertThat(read(text)).isInstanceOf(TemplateReading.Read.class);
        Resolution resolution = ((TemplateReading.Read) read(text)).template().resolve(NoScope.INSTANCE, 1_000);
        assertThat(resolution).isInstanceOf(Resolution.Resolved.class);
        return ((Resolution.Resolved) resolution).value().toString();
    }

    @Test
    void keepsTheTypeWhereAStringIsWhollyOnePath() {
        assertThat(value("${workflow.input.big}")).isEqualTo("12345678901234567890");
        assertThat(value("${workflow.input['a key']}")).isEqualTo("true");
        assertThat(value("${fetch.output.items[1]}")).isEqualTo("{\"id\": 2}");
        assertThat(value("${fetch.output}")).startsWith("{\"items\"");
    }

    @Test
    void writesValuesIntoLongerStringsAndNothingForNull() {
        assertThat(value("${workflow.input.key}: ${workflow.input.big}")).isEqualTo("\"b: 12345678901234567890\"");
        assertThat(value("<${workflow.input.none}${fetch.output.missing}>")).isEqualTo("\"<>\"");
        assertThat(value("ids ${fetch.output.b}")).isEqualTo("\"ids [\\\"x\\\", \\\"y\\\"]\"");
    }

    @Test
    void isNullForWhatIsMissing() {
        assertThat(value("${fetch.output.items[7].id}")).isEqualTo("null");
        assertThat(value("${fetch.output.items.id}")).isEqualTo("null");
        assertThat(value("${other.output.x}")).isEqualTo("null");
        assertThat(value("${fetch}")).isEqualTo("null");
    }

    @Test
    void followsPathsToSeveralValues() {
        assertThat(value("${fetch.output.items[*].id}")).isEqualTo("[1,2]");
        assertThat(value("${fetch.output..id}")).isEqualTo("[1,3,2]");
        assertThat(value("${fetch.output.items.length()}")).isEqualTo("2");
        assertThat(value("${fetch.output.items[-1].id}")).isEqualTo("2");
        assertThat(value("${fetch.output.items[0].b.*}")).isEqualTo("[3]");
    }

    @Test
    void nestsPaths() {
        assertThat(value("${fetch.output.${workflow.input.key}}")).isEqualTo("[\"x\", \"y\"]");
        assertThat(value("${fetch.output.${workflow.input.key}[${workflow.input.i}]}"))
                .isEqualTo("\"y\"");
        assertThat(value("${fetch.output['${workflow.input.key}'][0]}")).isEqualTo("\"x\"");
    }

    @Test
    void escapesTheOpeningBrace() {
        assertThat(value("$${workflow.input.key} costs 5$")).isEqualTo("\"${workflow.input.key} costs 5$\"");
        assertThat(value("plain $ and {braces}")).isEqualTo("\"plain $ and {braces}\"");
    }

    @Test
    void saysWhyATextIsNoPath() {
        assertThat(read("${fetch.output"))
                .isEqualTo(new TemplateReading.Unreadable(
                        "The path that begins with \"${fetch.output\" is not closed.",
                        "Close it with }, or write $${ for the characters ${ themselves."));
        assertThat(read("${}"))
                .isEqualTo(new TemplateReading.Unreadable(
                        "\"${}\" does not begin with a name.",
                        "Begin with workflow or the taskReferenceName of a task, for example ${fetch.output.body}."));
        assertThat(((TemplateReading.Unreadable) read("${fetch.output.items[?(@.id == 1)]}")).message())
                .isEqualTo("\".items[?(@.id == 1)]\" is not a path that is understood here.");
    }
}
