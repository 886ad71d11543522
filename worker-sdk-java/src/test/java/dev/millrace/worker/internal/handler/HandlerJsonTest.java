package dev.millrace.worker.internal.handler;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringReader;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class HandlerJsonTest {
    private final ObjectMapper json = HandlerGroup.json();

    record Reading(String sensor, double value) {}

    @Test
    void writesRecordsMapsAndLists() throws IOException {
        assertThat(write(List.of(new Reading("a", 1.5), Map.of("n", new double[] {1, -0.5}))))
                .isEqualTo("[{\"sensor\":\"a\",\"value\":1.5},{\"n\":[1.0,-0.5]}]");
        assertThat(new String(HandlerJson.write(json, null), UTF_8)).isEqualTo("null");
    }

    @ParameterizedTest
    @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
    void refusesNumbersThatJsonDoesNotHave(double number) {
        assertThatThrownBy(() -> write(List.of(new Reading("a", number))))
                .hasMessageContaining("/0/value is " + number + ", which JSON has no number for");
        assertThatThrownBy(() -> write(new double[] {1, number})).hasMessageContaining("which JSON has no number for");
        assertThatThrownBy(() -> write(new float[] {1, (float) number}))
                .hasMessageContaining("which JSON has no number for");
    }

    @Test
    void refusesKeysThatCoincide() {
        Map<Object, String> keys = new LinkedHashMap<>();
        keys.put(1, "number");
        keys.put("1", "text");

        assertThatThrownBy(() -> write(keys)).hasMessageContaining("Duplicate field '1'");
    }

    static List<Object> withoutContent() {
        return List.of(
                Stream.of(1),
                IntStream.range(0, 3),
                new CompletableFuture<String>(),
                new ByteArrayInputStream(new byte[1]),
                new StringReader("a"),
                new Object());
    }

    @ParameterizedTest
    @MethodSource("withoutContent")
    void refusesObjectsWhosePropertiesAreNotTheirContent(Object value) {
        assertThatThrownBy(() -> write(Map.of("body", value)))
                .hasMessageContaining(value.getClass().getName())
                .hasMessageContaining("body");
    }

    private String write(Object value) throws IOException {
        return new String(HandlerJson.write(json, value), UTF_8);
    }
}
