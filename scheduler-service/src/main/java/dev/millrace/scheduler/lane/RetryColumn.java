package dev.millrace.scheduler.lane;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.scheduler.queue.core.RetryPolicy;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The JSON form in which the queue keeps a retry policy; null for none. */
final class RetryColumn {
    private static final ObjectMapper JSON = new ObjectMapper();

    private RetryColumn() {}

    static @Nullable String write(RetryPolicy retry) {
        if (retry.retriesMax() == 0) {
            return null;
        }
        return JSON.createObjectNode()
                .put("retries_max", retry.retriesMax())
                .put("delay_millis", retry.delay().toMillis())
                .put("multiplier", retry.multiplier())
                .put("delay_max_millis", retry.delayMax().toMillis())
                .put("jitter", retry.jitter())
                .toString();
    }

    static RetryPolicy read(@Nullable String column) {
        if (column == null) {
            return RetryPolicy.NONE;
        }
        try {
            JsonNode retry = JSON.readTree(column);
            return new RetryPolicy(
                    retry.required("retries_max").intValue(),
                    Duration.ofMillis(retry.required("delay_millis").longValue()),
                    retry.required("multiplier").doubleValue(),
                    Duration.ofMillis(retry.required("delay_max_millis").longValue()),
                    retry.required("jitter").doubleValue());
        } catch (JsonProcessingException notOurs) {
            throw new IllegalStateException("job_queue.retry holds something that is no retry policy", notOurs);
        }
    }
}
