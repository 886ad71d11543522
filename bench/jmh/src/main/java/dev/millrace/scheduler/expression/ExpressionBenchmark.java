package dev.millrace.scheduler.expression;

import dev.millrace.scheduler.expression.javascript.MillraceLanguage;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Resolution of step inputs: plain paths, texts, and JavaScript for comparison. */
@State(org.openjdk.jmh.annotations.Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class ExpressionBenchmark {
    private static final int BYTES_MAX = 4 << 20;

    @Param({
        "${{ item }}",
        "${{ steps.a.result.users[1].name }}",
        "${{ inputs.user?.name }}",
        "Hello ${{ inputs.user.name }}, number ${{ index }}",
        "${{ steps.a.result.users.map(u => u.id) }}"
    })
    private String text;

    private Template template;
    private Scope scope;

    @Setup
    public void prepare() {
        if (!(Template.read(text, new MillraceLanguage(Map.of())) instanceof TemplateReading.Read read)) {
            throw new IllegalStateException("The expression is refused: " + text);
        }
        template = read.template();
        scope = new Values();
        if (!(resolve() instanceof Resolution.Resolved)) {
            throw new IllegalStateException("The expression cannot be resolved: " + resolve());
        }
    }

    @Benchmark
    public Resolution resolve() {
        return template.resolve(scope, BYTES_MAX);
    }

    private static final class Values implements Scope {
        private final JsonValue inputs =
                JsonValue.of("{\"user\": {\"id\": 1, \"name\": \"Ada\"}, \"other\": [1, 2, 3]}");
        private final JsonValue result = JsonValue.of(
                "{\"users\": [{\"id\": 1, \"name\": \"Ada\"}, {\"id\": 2, \"name\": \"Grace\"}], \"count\": 2}");
        private final JsonValue item = JsonValue.of("{\"id\": 7}");

        @Override
        public JsonValue inputs() {
            return inputs;
        }

        @Override
        public JsonValue stepResult(String id) {
            return result;
        }

        @Override
        public Optional<JsonValue> findStepResult(String id) {
            return Optional.of(result);
        }

        @Override
        public JsonValue item() {
            return item;
        }

        @Override
        public int index() {
            return 3;
        }

        @Override
        public Optional<JsonValue> item(int outward) {
            return Optional.empty();
        }

        @Override
        public int index(int outward) {
            return -1;
        }

        @Override
        public JsonValue variables() {
            return JsonValue.EMPTY_OBJECT;
        }

        @Override
        public JsonValue env() {
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
        public OptionalInt retry() {
            return OptionalInt.empty();
        }

        @Override
        public String runId() {
            return "01900000-0000-7000-8000-000000000001";
        }
    }
}
