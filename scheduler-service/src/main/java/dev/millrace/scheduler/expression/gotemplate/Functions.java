package dev.millrace.scheduler.expression.gotemplate;

import dev.millrace.scheduler.expression.EvaluationFailed;
import dev.millrace.scheduler.expression.JsonValue;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Functions of Go's text/template that actions may call. */
final class Functions {
    private static final int VARIADIC = 100;

    /** Minimum and maximum number of arguments of each function. */
    private static final Map<String, int[]> ARGUMENTS = new TreeMap<>(Map.ofEntries(
            Map.entry("eq", new int[] {2, VARIADIC}),
            Map.entry("ne", new int[] {2, 2}),
            Map.entry("lt", new int[] {2, 2}),
            Map.entry("le", new int[] {2, 2}),
            Map.entry("gt", new int[] {2, 2}),
            Map.entry("ge", new int[] {2, 2}),
            Map.entry("and", new int[] {1, VARIADIC}),
            Map.entry("or", new int[] {1, VARIADIC}),
            Map.entry("not", new int[] {1, 1}),
            Map.entry("len", new int[] {1, 1}),
            Map.entry("index", new int[] {1, VARIADIC}),
            Map.entry("print", new int[] {0, VARIADIC}),
            Map.entry("println", new int[] {0, VARIADIC}),
            Map.entry("printf", new int[] {1, VARIADIC})));

    private Functions() {}

    static boolean exists(String name) {
        return ARGUMENTS.containsKey(name);
    }

    static String names() {
        return String.join(", ", ARGUMENTS.keySet());
    }

    static boolean takes(String name, int count) {
        int[] range = ARGUMENTS.getOrDefault(name, new int[] {0, 0});
        return count >= range[0] && count <= range[1];
    }

    /** Whether a value is true in Go: any value except false, null, 0 and empty values. */
    static boolean isTrue(JsonValue value) {
        return switch (value.kind()) {
            case OBJECT -> !value.members().isEmpty();
            case ARRAY -> !value.elements().isEmpty();
            case STRING, NUMBER, BOOLEAN, NULL -> value.isTruthy();
        };
    }

    static JsonValue call(String name, List<JsonValue> arguments) {
        JsonValue first = arguments.isEmpty() ? JsonValue.NULL : arguments.getFirst();
        return switch (name) {
            case "eq" -> of(arguments.stream().skip(1).anyMatch(first::sameAs));
            case "ne" -> of(!first.sameAs(arguments.get(1)));
            case "lt" -> of(compare(name, first, arguments.get(1)) < 0);
            case "le" -> of(compare(name, first, arguments.get(1)) <= 0);
            case "gt" -> of(compare(name, first, arguments.get(1)) > 0);
            case "ge" -> of(compare(name, first, arguments.get(1)) >= 0);
            case "not" -> of(!isTrue(first));
            case "len" -> length(first);
            case "index" -> index(arguments);
            case "print" -> JsonValue.ofString(joined(arguments, ""));
            case "println" -> JsonValue.ofString(joined(arguments, " ") + "\n");
            case "printf" -> {
                requireRoom(arguments);
                yield JsonValue.ofString(Format.format(Output.textOf(first), arguments.subList(1, arguments.size())));
            }
            default -> throw new IllegalArgumentException("unknown function " + name);
        };
    }

    private static String joined(List<JsonValue> arguments, String separator) {
        requireRoom(arguments);
        return arguments.stream().map(Output::textOf).collect(Collectors.joining(separator));
    }

    /** Checks the total length of the arguments, because nested calls can multiply it. */
    private static void requireRoom(List<JsonValue> arguments) {
        long chars = 0;
        for (JsonValue argument : arguments) {
            chars += argument.length();
        }
        if (chars > Output.CHARS_MAX) {
            throw Output.tooLong();
        }
    }

    private static JsonValue of(boolean value) {
        return value ? JsonValue.TRUE : JsonValue.FALSE;
    }

    private static int compare(String name, JsonValue a, JsonValue b) {
        if (a.kind() == JsonValue.Kind.NUMBER && b.kind() == JsonValue.Kind.NUMBER) {
            return new BigDecimal(a.text()).compareTo(new BigDecimal(b.text()));
        }
        if (a.kind() == JsonValue.Kind.STRING && b.kind() == JsonValue.Kind.STRING) {
            return a.string().compareTo(b.string());
        }
        throw failed(name + " cannot compare " + a.kind().phrase() + " with "
                + b.kind().phrase());
    }

    private static JsonValue length(JsonValue value) {
        return switch (value.kind()) {
            case OBJECT -> JsonValue.of(value.members().size());
            case ARRAY -> JsonValue.of(value.elements().size());
            case STRING -> JsonValue.of(value.string().getBytes(java.nio.charset.StandardCharsets.UTF_8).length);
            case NUMBER, BOOLEAN, NULL -> throw failed("len of " + value.kind().phrase());
        };
    }

    private static JsonValue index(List<JsonValue> arguments) {
        JsonValue current = arguments.getFirst();
        for (JsonValue key : arguments.subList(1, arguments.size())) {
            JsonValue holder = current;
            JsonValue found = switch (holder.kind()) {
                case OBJECT ->
                    key.kind() == JsonValue.Kind.STRING ? holder.members().get(key.string()) : null;
                case ARRAY -> element(holder.elements(), key);
                case STRING, NUMBER, BOOLEAN, NULL -> null;
            };
            if (found == null) {
                throw failed(
                        "index " + key + " does not exist in " + holder.kind().phrase());
            }
            current = found;
        }
        return current;
    }

    private static @org.jspecify.annotations.Nullable JsonValue element(List<JsonValue> elements, JsonValue key) {
        String digits = key.text();
        if (!digits.matches("\\d{1,9}") || Integer.parseInt(digits) >= elements.size()) {
            return null;
        }
        return elements.get(Integer.parseInt(digits));
    }

    static EvaluationFailed failed(String what) {
        return new EvaluationFailed("ExpressionFailed", "An action of a text failed: " + what + ".");
    }
}
