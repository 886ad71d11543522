package dev.millrace.cli.schema;

import java.util.List;
import java.util.Random;

/** Random values in JSON, of the kinds that people send. */
final class RandomJson {
    private static final List<String> PLAIN = List.of(
            "null",
            "true",
            "false",
            "0",
            "1",
            "-1",
            "7",
            "300",
            "1.0",
            "1.50",
            "-0",
            "1e2",
            "1e18",
            "2.5e-3",
            "1e999",
            "9223372036854775808",
            "12345678901234567890123456789012",
            "\"\"",
            "\"5\"",
            "\" 5 \"",
            "\"0x1F\"",
            "\"two\"",
            "\"t\"",
            "\"off\"",
            "\"NaN\"",
            "\"-Infinity\"",
            "\".5\"",
            "\"2026-01-31\"",
            "\"2026-01-31T09:30:00Z\"",
            "\"tomorrow\"",
            "\"09:30\"",
            "\"1 day\"",
            "\"{1,2}\"",
            "\" [0:1]={1,2}\"",
            "\"{}\"",
            "\"[1]\"",
            "\"YWI=\"",
            "\"6f1c2a3e-0000-4000-8000-000000000001\"",
            "\"{6f1c2a3e00004000800000000000000a}\"",
            "\"\\u0001\"",
            "[]",
            "{}");

    private final Random random;

    RandomJson(Random random) {
        this.random = random;
    }

    String value() {
        return value(0);
    }

    private String value(int depth) {
        int kind = random.nextInt(depth < 3 ? 10 : 7);
        return switch (kind) {
            case 7, 8 -> "[" + value(depth + 1) + (random.nextBoolean() ? "" : "," + value(depth + 1)) + "]";
            case 9 ->
                "{\"" + one(List.of("id", "ID", "Name", "next", "a")) + "\":" + value(depth + 1)
                        + (random.nextBoolean() ? "" : ",\"tags\":" + value(depth + 1)) + "}";
            default -> one(PLAIN);
        };
    }

    String one(List<String> choices) {
        return choices.get(random.nextInt(choices.size()));
    }
}
