package dev.millrace.scheduler.queue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.scheduler.queue.core.JobLimit;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** The JSON form in which the options of a run keep the limit of its job. */
public final class LimitJson {
    private static final ObjectMapper JSON = new ObjectMapper();

    private LimitJson() {}

    public static String write(JobLimit limit) {
        ObjectNode column = JSON.createObjectNode().put("key", limit.key());
        limit.max().ifPresent(max -> column.put("max", max));
        limit.rate()
                .ifPresent(rate -> column.put("count", rate.count())
                        .put("per_millis", rate.per().toMillis()));
        return column.toString();
    }

    public static Optional<JobLimit> read(@Nullable String column) {
        if (column == null) {
            return Optional.empty();
        }
        try {
            JsonNode limit = JSON.readTree(column);
            OptionalInt max =
                    limit.has("max") ? OptionalInt.of(limit.required("max").intValue()) : OptionalInt.empty();
            Optional<JobLimit.Rate> rate = limit.has("count")
                    ? Optional.of(new JobLimit.Rate(
                            limit.required("count").intValue(),
                            Duration.ofMillis(limit.required("per_millis").longValue())))
                    : Optional.empty();
            return Optional.of(new JobLimit(limit.required("key").textValue(), max, rate));
        } catch (JsonProcessingException notOurs) {
            throw new IllegalStateException("run_option.job_limit contains no limit", notOurs);
        }
    }
}
