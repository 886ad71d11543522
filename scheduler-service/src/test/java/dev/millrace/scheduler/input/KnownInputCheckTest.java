package dev.millrace.scheduler.input;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.input.KnownInput.Misfit;
import dev.millrace.scheduler.queue.core.Json;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Only what is certain before the values exist is reported. */
class KnownInputCheckTest {
    private static final Optional<Json> LATER = Optional.empty();

    private static final String TYPED = """
            {"type": "object", "required": ["n"], "additionalProperties": false,
             "properties": {"n": {"type": "integer"}, "items": {"type": "array", "items": {"type": "string"}}}}
            """;

    /** What a single parameter named input has. */
    private static final String WHOLE = """
            {"type": "object", "if": {"required": ["input"]},
             "then": {"properties": {"input": {"required": ["n"]}}, "additionalProperties": false},
             "else": {"required": ["n"]}}
            """;

    @Test
    void findsUnknownAndMissingKeysWhateverTheirValues() {
        assertThat(check(TYPED, Map.of("m", LATER))).containsExactly(new Misfit.Unknown("m"), new Misfit.Missing("n"));
    }

    @Test
    void findsLiteralsOfTheWrongType() {
        assertThat(check(TYPED, Map.of("n", json("\"two\""), "items", LATER)))
                .containsExactly(
                        new Misfit.Wrong("n", "The parameter \"n\" is \"two\" (expected: a whole number). Change it."));
        assertThat(check(TYPED, Map.of("n", LATER, "items", json("[1]"))))
                .containsExactly(
                        new Misfit.Wrong("items", "The parameter \"items[0]\" is 1 (expected: a string). Change it."));
    }

    @Test
    void saysNothingAboutWhatMayFit() {
        assertThat(check(TYPED, Map.of("n", LATER, "items", LATER))).isEmpty();
        assertThat(check(TYPED, Map.of("n", json("3.0")))).isEmpty();
        assertThat(check("{}", Map.of("m", LATER))).isEmpty();
        assertThat(check("{\"properties\": {\"n\": {}}}", Map.of("m", LATER))).isEmpty();
        assertThat(check("{\"additionalProperties\": {\"type\": \"integer\"}}", Map.of("m", LATER)))
                .isEmpty();
    }

    @Test
    void rulesAboutSeveralKeysAreLeftToTheJobUntilAllValuesAreKnown() {
        assertThat(check(WHOLE, Map.of("input", LATER))).isEmpty();
        assertThat(check(WHOLE, Map.of("m", LATER))).isEmpty();
        assertThat(check(WHOLE, Map.of("n", json("1")))).isEmpty();
        assertThat(check(WHOLE, Map.of("m", json("1"))))
                .singleElement()
                .isInstanceOfSatisfying(
                        Misfit.Wrong.class, wrong -> assertThat(wrong.message()).contains("lacks the key \"n\""));
    }

    private static Optional<Json> json(String text) {
        return Optional.of(new Json(text));
    }

    private static List<Misfit> check(String schema, Map<String, Optional<Json>> members) {
        return KnownInputCheck.of(new InputSchema(new Json(schema), InputSchema.Origin.SIGNATURE))
                .check(new KnownInput(members));
    }
}
