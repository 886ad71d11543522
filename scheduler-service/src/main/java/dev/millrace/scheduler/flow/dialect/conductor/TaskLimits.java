package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.definition.TaskOptions.Limit;
import dev.millrace.scheduler.flow.dialect.Fields;
import dev.millrace.scheduler.queue.core.JobLimit;
import dev.millrace.scheduler.queue.core.JobLimit.Rate;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Reader of the limits in a task definition: {@code concurrentExecLimit} and {@code rateLimitPerFrequency}, where 0
 * means no limit.
 */
final class TaskLimits {
    private static final int FREQUENCY_SECONDS_DEFAULT = 1;

    private TaskLimits() {}

    /**
     * Reads the limit.
     *
     * @param name of the tasks that share the limit
     */
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

    /** Makes the limit for the jobs of a task. Reports a name whose length does not fit a limit key. */
    static Optional<JobLimit> ofJobs(Limit limit, TaskNode task, Reading reading) {
        String key = ((Template.Constant) limit.key().orElseThrow()).value().string();
        if (key.isEmpty() || key.length() > JobLimit.KEY_LENGTH_MAX || JobLimit.isOfWorkspace(key)) {
            reading.problem(
                    task.fields(),
                    "taskDefinition",
                    "The name of a definition that limits how many tasks run is \"" + key + "\" (expected: 1 to "
                            + JobLimit.KEY_LENGTH_MAX + " characters, the first not a \"/\").",
                    "Give the definition another name.");
            return Optional.empty();
        }
        return Optional.of(new JobLimit(key, limit.max(), limit.rate()));
    }

    private static OptionalInt number(Optional<Integer> given) {
        return given.filter(number -> number > 0).map(OptionalInt::of).orElse(OptionalInt.empty());
    }
}
