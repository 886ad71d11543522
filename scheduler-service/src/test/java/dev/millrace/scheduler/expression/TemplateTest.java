package dev.millrace.scheduler.expression;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.expression.javascript.MillraceLanguage;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class TemplateTest {
    private static final String INPUTS = """
            {"a": {"b": [{"c": 1.10}, "x"], "d e": "text", "nothing": null},
             "big": 123456789012345678901234567890, "s": "q\\"\\u00e9\\n", "yes": true, "empty": {}, "list": [ 1 , [2, 3] ]}
            """;

    private record Case(String template, String value) {}

    @TestFactory
    Stream<DynamicTest> resolves() {
        return Stream.of(
                        new Case("plain", "\"plain\""),
                        new Case("${{ inputs.a.b[0].c }}", "1.10"),
                        new Case("${{inputs.a[\"b\"][1]}}", "\"x\""),
                        new Case("${{ inputs.a['d e'] }}", "\"text\""),
                        new Case("${{ inputs.big }}", "123456789012345678901234567890"),
                        new Case("${{ inputs.a.b }}", "[{\"c\": 1.10}, \"x\"]"),
                        new Case("${{ inputs.s }}", "\"q\\\"\\u00e9\\n\""),
                        new Case("<${{ inputs.s }}>", "\"<q\\\"é\\n>\""),
                        new Case("${{ inputs.yes }}${{ inputs.empty }}${{ inputs.a.nothing }}", "\"true{}null\""),
                        new Case("${{ inputs.list.length }}", "2"),
                        new Case("${{ inputs.list[1].length }}", "2"),
                        new Case("${{ inputs.a['d e'].length }}", "4"),
                        new Case("${{ inputs.a?.absent }}", "null"),
                        new Case("${{ inputs.absent?.x.y[3] }}", "null"),
                        new Case("${{ inputs.a.nothing?.x }}", "null"),
                        new Case("${{ inputs.a.b?.[9] }}", "null"),
                        new Case("${{ steps.my-step.result.n }}", "7"),
                        new Case("${{ steps['my-step'].result.n }}", "7"),
                        new Case("${{ item }}-${{ index }}-${{ run.id }}", "\"ITEM-4-R\""),
                        new Case("$${{ inputs.a }} costs $5", "\"${{ inputs.a }} costs $5\""),
                        new Case("${{ inputs['}}']?.x }}", "null"))
                .map(row -> DynamicTest.dynamicTest(
                        row.template(),
                        () -> assertThat(resolve(row.template(), 10_000))
                                .isEqualTo(new Resolution.Resolved(JsonValue.of(row.value())))));
    }

    @TestFactory
    Stream<DynamicTest> saysWhatIsMissing() {
        return Stream.of(
                        new Case(
                                "${{ inputs.absent }}",
                                "inputs.absent does not exist: inputs is an object with the keys \"a\", \"big\", \"s\", \"yes\", \"empty\", \"list\"."),
                        new Case(
                                "${{ inputs.empty.x }}",
                                "inputs.empty.x does not exist: inputs.empty is an empty object."),
                        new Case(
                                "${{ inputs.a.b[2] }}",
                                "inputs.a.b[2] does not exist: inputs.a.b is an array of 2 items."),
                        new Case(
                                "${{ inputs.absent.x }}",
                                "inputs.absent does not exist: inputs is an object with the keys \"a\", \"big\", \"s\", \"yes\", \"empty\", \"list\"."),
                        new Case(
                                "${{ inputs.a.nothing.x }}",
                                "inputs.a.nothing.x does not exist: inputs.a.nothing is null."),
                        new Case("${{ inputs.big.x }}", "inputs.big.x does not exist: inputs.big is a number."),
                        new Case(
                                "${{ inputs.a?.absent.x }}",
                                "inputs.a?.absent.x does not exist: inputs.a?.absent is null."),
                        new Case(
                                "${{ inputs['a b'] }}",
                                "inputs[\"a b\"] does not exist: inputs is an object with the keys \"a\", \"big\", \"s\", \"yes\", \"empty\", \"list\"."))
                .map(row -> DynamicTest.dynamicTest(
                        row.template(),
                        () -> assertThat(resolve(row.template(), 10_000))
                                .isEqualTo(new Resolution.Unresolved("MissingValue", row.value()))));
    }

    @Test
    void stopsAtTheSizeLimitInBytes() {
        assertThat(resolve("é${{ inputs.a['d e'] }}", 8)).isEqualTo(new Resolution.Resolved(JsonValue.of("\"étext\"")));
        assertThat(resolve("é${{ inputs.a['d e'] }}", 7))
                .isInstanceOfSatisfying(
                        Resolution.Unresolved.class,
                        unresolved -> assertThat(unresolved.name()).isEqualTo("PayloadTooLarge"));
    }

    @Test
    void comparesValuesAsJavaScriptWouldButObjectsByContent() {
        assertThat(same("1", "1.0")).isTrue();
        assertThat(same("1e400", "1e401")).isFalse();
        assertThat(same("\"a\"", "\"\\u0061\"")).isTrue();
        assertThat(same("{\"a\":1,\"b\":[2]}", "{ \"b\":[2.0], \"a\":1 }")).isTrue();
        assertThat(same("[1,2]", "[2,1]")).isFalse();
        assertThat(same("null", "false")).isFalse();
        assertThat(JsonValue.of("[".repeat(5_000) + "]".repeat(5_000))
                        .compare(JsonValue.of("[".repeat(5_000) + "]".repeat(5_000))))
                .isInstanceOf(Resolution.Unresolved.class);
    }

    @Test
    void knowsWhatIsTrue() {
        assertThat(Stream.of("true", "1", "-0.1", "\"0\"", "{}", "[]").map(JsonValue::of))
                .allMatch(JsonValue::isTruthy);
        assertThat(Stream.of("false", "null", "0", "-0.0", "0e5", "\"\"").map(JsonValue::of))
                .noneMatch(JsonValue::isTruthy);
    }

    private static boolean same(String a, String b) {
        return JsonValue.of(a).sameAs(JsonValue.of(b));
    }

    private static Resolution resolve(String text, int bytesMax) {
        TemplateReading reading = Template.read(text, MillraceLanguage.INSTANCE);
        assertThat(reading).isInstanceOf(TemplateReading.Read.class);
        return ((TemplateReading.Read) reading).template().resolve(new Fixed(), bytesMax);
    }

    private static final class Fixed implements Scope {
        private final JsonValue inputs = JsonValue.of(INPUTS);

        @Override
        public JsonValue inputs() {
            return inputs;
        }

        @Override
        public JsonValue stepResult(String id) {
            return JsonValue.of("{\"id\":\"" + id + "\",\"n\":7}");
        }

        @Override
        public JsonValue item() {
            return JsonValue.ofString("ITEM");
        }

        @Override
        public int index() {
            return 4;
        }

        @Override
        public Optional<JsonValue> findStepResult(String id) {
            return Optional.of(stepResult(id));
        }

        @Override
        public Optional<JsonValue> item(int outward) {
            return outward == 0 ? Optional.of(item()) : Optional.empty();
        }

        @Override
        public int index(int outward) {
            return outward == 0 ? index() : -1;
        }

        @Override
        public JsonValue variables() {
            return JsonValue.EMPTY_OBJECT;
        }

        @Override
        public Optional<JsonValue> result() {
            return Optional.empty();
        }

        @Override
        public Optional<JsonValue> error() {
            return Optional.empty();
        }

        @Override
        public JsonValue env() {
            return JsonValue.EMPTY_OBJECT;
        }

        @Override
        public OptionalInt retry() {
            return OptionalInt.empty();
        }

        @Override
        public String runId() {
            return "R";
        }
    }
}
