package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.StepAction.Limit;
import dev.millrace.scheduler.flow.dialect.Fields;
import dev.millrace.scheduler.queue.core.JobLimit;
import dev.millrace.scheduler.queue.core.JobLimit.Rate;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/** Reads what a task definition says of how many tasks may run: {@code concurrentExecLimit} and {@code rateLimitPerFrequency}; 0 for no limit. */
final class TaskLimits {
    private static final int FREQUENCY_SECONDS_DEFAULT = 1;

    private TaskLimits() {}

    /** @param name of the tasks that share the limit */
    static Optional<Limit> read(Fields definition, String name) {
        OptionalInt max = number(definition.whole("concurrentExecLimit", 0, JobLimit.MAX_LIMIT));
        OptionalInt count = number(definition.whole("rateLimitPerFrequency", 0, Rate.COUNT_LIMIT));
        int seconds = definition
                .whole("rateLimitFrequencyInSeconds", 1, (int) Rate.PER_LIMIT.toSeconds())
                .orElse(FREQUENCY_SECONDS_DEFAULT);
        Optional<Rate> rate = count.isPresent()
                ? Optional.of(new Rate(count.getAsInt(), Duration.ofSeconds(seconds)))
                : Optional.empty();
        return max.isEmpty() && rate.isEmpty()
                ? Optional.empty()
                : Optional.of(new Limit(Optional.of(new Template.Constant(JsonValue.ofString(name))), max, rate));
    }

    private static OptionalInt number(Optional<Integer> given) {
        return given.filter(number -> number > 0).map(OptionalInt::of).orElse(OptionalInt.empty());
    }
}
