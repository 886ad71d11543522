package dev.millrace.worker.internal.secret.core;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class MaskedJsonTest {
    private static final int ROUNDS = 3_000;
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private final ObjectMapper json = new ObjectMapper();
    private final long seed = Long.getLong("millrace.test.seed", System.nanoTime());
    private final Random random = new Random(seed);
    private final WrittenSecrets written = new WrittenSecrets(random);

    private static String masked(String json, String... secrets) throws TooManyPatternsException {
        PatternTree tree = new PatternTree(SecretPatterns.of(List.of(secrets), 1 << 20));
        return new String(MaskedJson.mask(tree, json.getBytes(UTF_8)), UTF_8);
    }

    @Test
    void masksTextsAndKeysHoweverTheyAreEscaped() throws Exception {
        assertThat(masked("{\"a\":\"x hunter2hunter2 y\",\"hunter2hunter2\":1}", "hunter2hunter2"))
                .isEqualTo("{\"a\":\"x *** y\",\"***\":1}");
        assertThat(masked("[\"\\u0068unter2\\u0068unter2\\n\"]", "hunter2hunter2"))
                .isEqualTo("[\"***\\n\"]");
        assertThat(masked("[\"a\\/b\\\"c\\/d\\u00E9f\"]", "a/b\"c/d\u00e9f")).isEqualTo("[\"***\"]");
    }

    @Test
    void aNumberWithASecretBecomesAText() throws Exception {
        assertThat(masked("{\"pin\": 123456789 , \"other\":-1.5e10}", "123456789"))
                .isEqualTo("{\"pin\": \"***\" , \"other\":-1.5e10}");
    }

    @Test
    void masksEverythingIfASecretCoversSeveralValues() throws Exception {
        String secret = "{\"user\":\"x\",\"password\":\"pw\"}";

        assertThat(masked("{\"read\":" + secret + "}", secret)).isEqualTo("\"***\"");
    }

    @Test
    void masksTheTextsOfASecretThatIsJson() throws Exception {
        String secret = "{ \"type\": \"key\", \"private_key\": \"-----BEGIN KEY-----\\nMIIEvQIBADANBg\\n\" }";

        assertThat(masked("{\"k\":\"-----BEGIN KEY-----\\nMIIEvQIBADANBg\\n\",\"line\":\"MIIEvQIBADANBg\"}", secret))
                .isEqualTo("{\"k\":\"***\",\"line\":\"***\"}");
    }

    @Test
    void leavesOtherJsonAsItIs() throws Exception {
        byte[] harmless = "{ \"a\" : [1, true, null, \"\\u00e9\\/\"] }".getBytes(UTF_8);
        PatternTree tree = new PatternTree(SecretPatterns.of(List.of("hunter2hunter2"), 1 << 20));

        assertThat(MaskedJson.mask(tree, harmless)).isSameAs(harmless);
    }

    @Test
    void endsWhateverItIsGiven() throws Exception {
        for (String broken : List.of("", "\"", "\"\\", "{\"a", "[1,", "\"\\u12", "\"hunter2hunter2", "}{][", "nul")) {
            assertThat(masked(broken, "hunter2hunter2")).doesNotContain("hunter2");
        }
    }

    @Test
    void staysJsonWithoutTheSecret() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            String secret = written.secret();
            WrittenSecrets.Written text = written.write(secret);
            JsonNode value = value(text.whole(), 3);
            String result = masked(json.writeValueAsString(value), secret);

            JsonNode masked = json.readTree(result);
            assertThat(result).as("seed %d, %s", seed, text).contains("***").doesNotContain(text.secret());
            assertThat(texts(masked)).as("seed %d, %s", seed, text).doesNotContain(secret, text.secret());
        }
    }

    /** Returns a value in which this text is somewhere. */
    private JsonNode value(String text, int depth) {
        if (depth == 0) {
            return TextNode.valueOf(text);
        }
        ArrayNode array = NODES.arrayNode().add(random.nextDouble()).add("\u20ac\n\"");
        if (random.nextBoolean()) {
            return array.add(value(text, depth - 1));
        }
        ObjectNode object = NODES.objectNode().put("a/b~", 1).set("\\", array);
        return random.nextInt(4) == 0 ? object.put(text, true) : object.set("x", value(text, depth - 1));
    }

    private static String texts(JsonNode value) {
        StringBuilder texts = new StringBuilder(value.isValueNode() ? value.asText() : "");
        value.fieldNames().forEachRemaining(texts::append);
        value.forEach(member -> texts.append(texts(member)));
        return texts.toString();
    }
}
