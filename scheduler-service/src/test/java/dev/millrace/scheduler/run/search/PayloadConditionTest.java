package dev.millrace.scheduler.run.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.error.Violations;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PayloadConditionTest {
    private static final String ORDER = """
            {"customer": {"id": 42, "name": "Ada", "vip": true, "left": null}, "items": [{"unit price": 9.50}, {"a.b": "x=y"}],
             "": 0, "note": "very \\u0075rgent", "tags": ["b", "a"], "ключ": "ä"}
            """;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "customer.id=42",
                "customer.id=42.0",
                "customer.id=4.2e1",
                "customer.name=Ada",
                "customer.name=\"Ada\"",
                "[\"customer\"].name=Ada",
                "customer.name~d",
                "customer.vip=true",
                "customer.left=null",
                "items[0].unit price=9.5",
                "items[0][\"unit price\"]=9.5",
                "items[1][\"a.b\"]=x=y",
                "items.length=2",
                "note=very urgent",
                "note~urgent",
                "note~",
                "[\"\"]=0",
                "tags=[ \"b\",\"a\" ]",
                "ключ=ä",
            })
    void holds(String condition) {
        assertThat(read(condition).holdsFor(ORDER)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "customer.id=\"42\"",
                "customer.id=420",
                "customer.id~4",
                "customer.id.x=42",
                "customer.name=ada",
                "customer.vip=\"true\"",
                "customer.left=false",
                "customer.gone=null",
                "items[2]=null",
                "tags=[\"a\",\"b\"]",
                "note=urgent",
                "=42",
            })
    void doesNotHold(String condition) {
        assertThat(read(condition).holdsFor(ORDER)).isFalse();
    }

    @Test
    void looksAtTheWholePayloadWithoutAPath() {
        assertThat(read("=42").holdsFor(" 42 ")).isTrue();
        assertThat(read("~b").holdsFor("\"abc\"")).isTrue();
    }

    @Test
    void takesHostilePayloadsAsTheyAre() {
        String deep = "[".repeat(100_000) + "]".repeat(100_000);
        String longNumber = "7".repeat(3_000_000);

        assertThat(read("a=1").holdsFor("{\"b\": \"\\u0000\", \"a\": 1}")).isTrue();
        assertThat(read("a=\"\\u0000\"").holdsFor("{\"a\": \"\\u0000\"}")).isTrue();
        assertThat(read("a=1").holdsFor("{\"b\": \"\\ud800\", \"a\": 1}")).isTrue();
        assertThat(read("a=1").holdsFor("{\"b\": " + deep + ", \"a\": 1}")).isTrue();
        assertThat(read("b=[[]]").holdsFor("{\"b\": " + deep + "}")).isFalse();
        assertThat(read("a=2").holdsFor("{\"a\": 1, \"a\": 2}")).isTrue();
        assertThat(read("a=1").holdsFor("{\"a\": 1, \"a\": 2}")).isFalse();
        assertThat(read("a=1e5").holdsFor("{\"a\": 1e999999999}")).isFalse();
        assertThat(read("a=1e99999999999").holdsFor("{\"a\": 1e99999999999}")).isTrue();
        assertThat(read("a=7").holdsFor("{\"a\": " + longNumber + "}")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "customer", "customer.id", "a..b=1", ".a=1", "a.=1", "a[x]=1", "a[-1]=1", "a[0]b=1", "[\"a=1"
            })
    void refusesWhatIsNoCondition(String condition) {
        Violations violations = new Violations();

        PayloadConditionReader.read(List.of(condition), "input", violations);

        assertThat(violations.all()).singleElement().satisfies(violation -> {
            assertThat(violation.field()).isEqualTo("input[0]");
            assertThat(violation.description())
                    .contains("\"" + condition + "\"", "PATH=VALUE or PATH~TEXT", "customer.id=42");
        });
    }

    @Test
    void limitsConditions() {
        Violations violations = new Violations();

        PayloadConditionReader.read(Collections.nCopies(11, "a=1"), "input", violations);
        PayloadConditionReader.read(List.of("a=" + "x".repeat(999)), "output", violations);

        assertThat(violations.all())
                .extracting(violation -> violation.field() + " " + violation.description())
                .containsExactly(
                        "input 11 conditions (expected: at most 10)",
                        "output[0] is 1001 characters long (expected: at most 1000)");
    }

    private static PayloadCondition read(String condition) {
        Violations violations = new Violations();
        List<PayloadCondition> read = PayloadConditionReader.read(List.of(condition), "input", violations);
        assertThat(violations.all()).isEmpty();
        return read.getFirst();
    }
}
