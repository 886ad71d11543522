package dev.millrace.e2e.contract;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.millrace.contract.Contract;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.random.RandomGenerator;

/** Makes values for a schema: most are valid, some are wrong in one place. */
final class JsonFuzz {
    /**
     * Texts that often break programs: empty, blank or long texts, control characters, other alphabets, SQL and paths.
     */
    static final List<String> STRANGE_TEXTS = List.of(
            "",
            " ",
            "\u0000",
            "a\u0000b",
            "\n\r\t",
            "\u202Etxt.exe",
            "💥é漢",
            "' or 1=1 --",
            "%s%n${x}{{y}}",
            "../../etc/passwd",
            "null",
            "-1",
            "99999999999999999999",
            "x".repeat(2_000),
            "é".repeat(70_000));

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final double WRONG_SHARE = 0.04;
    private static final double OPTIONAL_SHARE = 0.35;
    private static final double UNKNOWN_FIELD_SHARE = 0.02;
    /** Placeholder for a value that is nested too deeply to be written from a tree. */
    private static final String DEEP = "@deep@";

    private static final int DEPTH = 5_000;
    private static final int DIGITS = 3_000;
    private static final int MANY = 10_001;

    private final Contract contract;
    private final RandomGenerator random;
    /** Names of resources that exist, so that not every request ends with a 404. */
    private final List<String> known;

    JsonFuzz(Contract contract, RandomGenerator random, List<String> known) {
        this.contract = contract;
        this.random = random;
        this.known = known;
    }

    /** A complete body for a schema, as text. */
    String body(JsonNode schema) {
        return value(schema).toString().replace("\"" + DEEP + "\"", "{\"a\":[".repeat(DEPTH) + "]}".repeat(DEPTH));
    }

    private JsonNode value(JsonNode reference) {
        JsonNode schema = contract.resolve(reference);
        if (random.nextDouble() < WRONG_SHARE) {
            return strange();
        }
        if (schema.has("enum")) {
            return schema.path("enum").get(random.nextInt(schema.path("enum").size()));
        }
        return switch (schema.path("type").asText()) {
            case "object" -> object(schema);
            case "array" -> array(schema);
            case "integer" -> NODES.numberNode(integer(schema));
            case "number" -> NODES.numberNode(random.nextDouble() * 2);
            case "boolean" -> NODES.booleanNode(random.nextBoolean());
            case "string" -> NODES.textNode(text(schema));
            default -> anything();
        };
    }

    /** A text for a parameter: either valid or strange. */
    String parameter(JsonNode schema) {
        JsonNode value = value(schema);
        return value.isValueNode() ? value.asText() : pick(STRANGE_TEXTS);
    }

    private String text(JsonNode schema) {
        if (random.nextDouble() < WRONG_SHARE) {
            return pick(STRANGE_TEXTS);
        }
        if (schema.path("format").asText().equals("date-time")) {
            return pick(List.of("2026-01-01T00:00:00Z", "2026-06-30T23:59:59.999999+14:00", "9999-12-31T23:59:59Z"));
        }
        if (schema.has("pattern")) {
            // Short durations, because a request may ask the server to wait that long.
            return pick(List.of("0s", "1ms", "0.25s", "1s"));
        }
        return pick(known);
    }

    <T> T pick(List<T> values) {
        return values.get(random.nextInt(values.size()));
    }

    private JsonNode object(JsonNode schema) {
        var object = NODES.objectNode();
        schema.path("properties").properties().forEach(property -> {
            boolean required = false;
            for (JsonNode name : schema.path("required")) {
                required |= name.asText().equals(property.getKey());
            }
            boolean only = schema.path("maxProperties").asInt(Integer.MAX_VALUE) <= object.size();
            if (!only && (required || random.nextDouble() < OPTIONAL_SHARE)) {
                object.set(property.getKey(), value(property.getValue()));
            }
        });
        if (random.nextDouble() < UNKNOWN_FIELD_SHARE) {
            object.set("surprise", strange());
        }
        return object;
    }

    private JsonNode array(JsonNode schema) {
        var array = NODES.arrayNode();
        if (random.nextDouble() < WRONG_SHARE) {
            JsonNode item = value(schema.path("items"));
            // Only few large items, because many of them would only test a large body.
            String text = item.toString();
            int count = text.length() < 200 && !text.contains(DEEP) ? MANY : 2;
            for (int i = 0; i < count; i++) {
                array.add(item);
            }
            return array;
        }
        for (int i = random.nextInt(4); i > 0; i--) {
            array.add(value(schema.path("items")));
        }
        return array;
    }

    private long integer(JsonNode schema) {
        long least = schema.path("minimum").asLong(-5);
        long most = schema.path("maximum").asLong(1_000);
        return pick(List.of(least, most, least - 1, most + 1, (least + most) / 2));
    }

    private JsonNode anything() {
        return random.nextBoolean() ? NODES.objectNode().put("value", random.nextInt()) : NODES.textNode(pick(known));
    }

    private JsonNode strange() {
        return switch (random.nextInt(11)) {
            case 0 -> NODES.nullNode();
            case 1 -> NODES.booleanNode(true);
            case 2 -> NODES.arrayNode();
            case 3 -> NODES.objectNode();
            case 4 -> NODES.numberNode(Long.MAX_VALUE);
            case 5 -> NODES.numberNode(-1);
            case 6 -> NODES.numberNode(new BigDecimal("1e400000000"));
            case 7 -> NODES.numberNode(new BigInteger("9".repeat(DIGITS)));
            case 8 -> NODES.textNode(DEEP);
            default -> NODES.textNode(pick(STRANGE_TEXTS));
        };
    }
}
