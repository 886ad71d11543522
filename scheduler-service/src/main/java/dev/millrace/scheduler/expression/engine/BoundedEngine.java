package dev.millrace.scheduler.expression.engine;

import dev.millrace.scheduler.expression.evaluator.Answer;
import dev.millrace.scheduler.expression.evaluator.Engine;
import dev.millrace.scheduler.expression.evaluator.WorkWatch;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Engine with limits around an engine that cannot be interrupted: if an evaluation exceeds them, the process ends. */
final class BoundedEngine implements Engine {
    private static final WorkWatch.Bounds BOUNDS =
            new WorkWatch.Bounds(Duration.ofSeconds(1), Duration.ofSeconds(20), Long.MAX_VALUE);

    private final Engine engine;
    private final WorkWatch watch;

    BoundedEngine(Engine engine, WorkWatch watch) {
        this.engine = engine;
        this.watch = watch;
    }

    @Override
    public Answer evaluate(List<@Nullable String> parts, Lookup values) {
        WorkWatch.Ended<Answer> ended = watch.run(BOUNDS, null, () -> engine.evaluate(parts, values));
        return switch (ended.failure()) {
            case null -> ended.value().orElseThrow();
            case RuntimeException failed -> throw failed;
            case Throwable deep ->
                new Answer.Failed(
                        "ExpressionLimit", "An expression was stopped: it is nested, or calls itself, too deeply.");
        };
    }
}
