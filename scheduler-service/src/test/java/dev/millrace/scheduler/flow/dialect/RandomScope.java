package dev.millrace.scheduler.flow.dialect;

import dev.millrace.scheduler.expression.JsonStrings;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Scope;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.TreeMap;

/**
 * A scope in which every name has a random value, and some results of steps are absent. Equal seeds make equal scopes.
 */
public final class RandomScope implements Scope {
    private static final List<String> KEYS = List.of(
            "a",
            "b",
            "k",
            "n",
            "id",
            "items",
            "result",
            "error",
            "output",
            "payload",
            "shareData",
            "tasks",
            "inputs",
            "value");
    private static final int DEPTH_MAX = 3;

    private final long seed;
    private final Map<String, JsonValue> values = new TreeMap<>();

    public RandomScope(long seed) {
        this.seed = seed;
    }

    private JsonValue value(String name) {
        return values.computeIfAbsent(name, _ -> JsonValue.of(json(random(name), DEPTH_MAX)));
    }

    private Random random(String name) {
        return new Random(seed * 31 + name.hashCode());
    }

    private static String json(Random random, int depth) {
        return switch (random.nextInt(depth == 0 ? 5 : 9)) {
            case 0 -> "null";
            case 1 -> Integer.toString(random.nextInt(-3, 10));
            case 2 -> random.nextBoolean() ? "true" : "false";
            case 3 -> JsonStrings.quote(KEYS.get(random.nextInt(KEYS.size())));
            case 4 -> "{\"error\":{\"name\":\"TimedOut\",\"message\":\"m\",\"step_id\":\"a\"}}";
            case 5 -> "[" + json(random, depth - 1) + "," + json(random, depth - 1) + "]";
            default -> object(random, depth);
        };
    }

    private static String object(Random random, int depth) {
        Map<String, String> members = new TreeMap<>();
        for (int i = random.nextInt(5); i > 0; i--) {
            members.put(KEYS.get(random.nextInt(KEYS.size())), json(random, depth - 1));
        }
        StringBuilder text = new StringBuilder("{");
        members.forEach((key, value) -> text.append(text.length() == 1 ? "" : ",")
                .append(JsonStrings.quote(key))
                .append(':')
                .append(value));
        return text.append('}').toString();
    }

    @Override
    public JsonValue inputs() {
        return values.computeIfAbsent("inputs", name -> JsonValue.of(object(random(name), DEPTH_MAX)));
    }

    @Override
    public JsonValue stepResult(String id) {
        return value("step " + id);
    }

    @Override
    public Optional<JsonValue> findStepResult(String id) {
        return random(id).nextInt(4) == 0 ? Optional.empty() : Optional.of(value("step " + id));
    }

    @Override
    public JsonValue item() {
        return value("item 0");
    }

    @Override
    public int index() {
        return random("index").nextInt(5);
    }

    @Override
    public Optional<JsonValue> item(int outward) {
        return Optional.of(value("item " + outward));
    }

    @Override
    public int index(int outward) {
        return outward == 0 ? index() : random("index " + outward).nextInt(5);
    }

    @Override
    public JsonValue variables() {
        return values.computeIfAbsent("variables", name -> JsonValue.of(object(random(name), DEPTH_MAX)));
    }

    @Override
    public Optional<JsonValue> result() {
        return Optional.of(value("result"));
    }

    @Override
    public Optional<JsonValue> error() {
        return Optional.of(JsonValue.of("{\"name\":\"E\",\"message\":\"m\",\"stack\":\"\",\"step_id\":\"s\"}"));
    }

    @Override
    public JsonValue env() {
        return values.computeIfAbsent("env", name -> JsonValue.of(object(random(name), DEPTH_MAX)));
    }

    @Override
    public OptionalInt retry() {
        return OptionalInt.of(2);
    }

    @Override
    public String runId() {
        return "run";
    }
}
