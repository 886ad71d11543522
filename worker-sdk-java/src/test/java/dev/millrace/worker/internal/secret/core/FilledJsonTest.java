package dev.millrace.worker.internal.secret.core;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class FilledJsonTest {
    private static final int ROUNDS = 5_000;
    private static final List<String> KEYS = List.of("", "a", "a/b", "m~n", "~1", "0", "k\"l", "\\", "\n", "\u00e9");
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private final ObjectMapper json = new ObjectMapper();
    private final long seed = Long.getLong("millrace.test.seed", System.nanoTime());
    private final Random random = new Random(seed);

    private static String fill(String json, Map<String, String> values) {
        Map<String, byte[]> raw = new HashMap<>();
        values.forEach((pointer, value) -> raw.put(pointer, value.getBytes(UTF_8)));
        return new String(FilledJson.fill(json.getBytes(UTF_8), raw), UTF_8);
    }

    @Test
    void leavesAllOtherBytesAsTheyAre() {
        String input =
                " { \"a\" : 1.50, \"db\" : {\"user\":\"\\u0061\", \"password\" : \"${{ secrets.db }}\" } , \"l\":[0, \"x\"]}";

        assertThat(fill(input, Map.of("/db/password", "\"s3cret\"", "/l/1", "{\"k\":[1]}")))
                .isEqualTo(
                        " { \"a\" : 1.50, \"db\" : {\"user\":\"\\u0061\", \"password\" : \"s3cret\" } , \"l\":[0, {\"k\":[1]}]}");
    }

    @Test
    void readsPointersAsRfc6901Says() {
        String input =
                "{\"foo\":[\"bar\",\"baz\"],\"\":0,\"a/b\":1,\"c%d\":2,\"i\\\\j\":5,\"k\\\"l\":6,\" \":7,\"m~n\":8}";

        assertThat(fill(input, Map.of("", "9"))).isEqualTo("9");
        assertThat(fill(input, Map.of("/", "9"))).contains("\"\":9,");
        assertThat(fill(input, Map.of("/a~1b", "9"))).contains("\"a/b\":9,");
        assertThat(fill(input, Map.of("/i\\j", "9"))).contains("\"i\\\\j\":9,");
        assertThat(fill(input, Map.of("/k\"l", "9"))).contains("\"k\\\"l\":9,");
        assertThat(fill(input, Map.of("/m~0n", "9"))).contains("\"m~n\":9}");
        assertThat(fill(input, Map.of("/foo/0", "9"))).contains("[9,\"baz\"]");
    }

    @Test
    void fillsBothValuesOfAKeyThatIsThereTwice() {
        assertThat(fill("{\"a\":1,\"b\":2,\"a\":3}", Map.of("/a", "9"))).isEqualTo("{\"a\":9,\"b\":2,\"a\":9}");
    }

    @Test
    void refusesAPlaceThatIsNotThere() {
        for (String pointer : List.of("/b", "/a/b", "/l/2", "/l/00", "/l/-", "x")) {
            assertThatThrownBy(() -> fill("{\"a\":1,\"l\":[1,2]}", Map.of(pointer, "\"s3cret\"")))
                    .as(pointer)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(pointer)
                    .hasMessageNotContaining("s3cret");
        }
    }

    @Test
    void agreesWithJackson() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            JsonNode input = value(4);
            List<JsonPointer> places = new ArrayList<>();
            collect(input, JsonPointer.empty(), places);
            JsonPointer place = places.get(random.nextInt(places.size()));
            JsonNode value = value(2);
            String text = random.nextBoolean() ? input.toString() : input.toPrettyString();

            String filled = fill(text, Map.of(place.toString(), value.toString()));

            assertThat(json.readTree(filled))
                    .as("seed %d, %s in %s", seed, place, input)
                    .isEqualTo(replaced(input, place, value));
        }
    }

    private static JsonNode replaced(JsonNode input, JsonPointer place, JsonNode value) {
        if (place.matches()) {
            return value;
        }
        JsonNode parent = input.at(place.head());
        if (parent instanceof ArrayNode array) {
            array.set(place.last().getMatchingIndex(), value);
        } else {
            ((ObjectNode) parent).set(place.last().getMatchingProperty(), value);
        }
        return input;
    }

    private static void collect(JsonNode value, JsonPointer at, List<JsonPointer> places) {
        places.add(at);
        value.properties().forEach(member -> collect(member.getValue(), at.appendProperty(member.getKey()), places));
        for (int i = 0; value.isArray() && i < value.size(); i++) {
            collect(value.get(i), at.appendIndex(i), places);
        }
    }

    private JsonNode value(int depth) {
        return switch (depth == 0 ? random.nextInt(3) : random.nextInt(6)) {
            case 0 -> NODES.numberNode(random.nextInt(-100, 100));
            case 1 -> NODES.booleanNode(random.nextBoolean());
            case 2 -> TextNode.valueOf(KEYS.get(random.nextInt(KEYS.size())) + "}],\"");
            case 3 -> {
                ArrayNode array = NODES.arrayNode();
                for (int i = random.nextInt(4); i > 0; i--) {
                    array.add(value(depth - 1));
                }
                yield array;
            }
            default -> {
                ObjectNode object = NODES.objectNode();
                for (int i = random.nextInt(4); i > 0; i--) {
                    object.set(KEYS.get(random.nextInt(KEYS.size())), value(depth - 1));
                }
                yield object;
            }
        };
    }
}
