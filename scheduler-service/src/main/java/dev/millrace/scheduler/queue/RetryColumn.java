package dev.millrace.scheduler.queue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.scheduler.queue.core.RetryPhase;
import dev.millrace.scheduler.queue.core.RetryPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The JSON form in which the queue keeps a retry policy; null for none. */
public final class RetryColumn {
    private static final ObjectMapper JSON = new ObjectMapper();

    private RetryColumn() {}

    public static @Nullable String write(RetryPolicy retry) {
        if (retry.phases().isEmpty()) {
            return null;
        }
        ObjectNode column = JSON.createObjectNode();
        ArrayNode phases = column.putArray("phases");
        for (RetryPhase phase : retry.phases()) {
            ObjectNode written = phases.addObject()
                    .put("shape", phase.shape().name().toLowerCase(Locale.ROOT))
                    .put("retries", phase.retries())
                    .put("delay_millis", phase.delay().toMillis())
                    .put("factor", phase.factor());
            if (phase.steady()) {
                written.put("steady", true);
            }
        }
        column.put("delay_max_millis", retry.delayMax().toMillis()).put("jitter", retry.jitter());
        if (retry.randomDelay().isPositive()) {
            column.put("random_delay_millis", retry.randomDelay().toMillis());
        }
        if (!retry.afterTimeout()) {
            column.put("after_timeout", false);
        }
        return column.toString();
    }

    public static RetryPolicy read(@Nullable String column) {
        if (column == null) {
            return RetryPolicy.NONE;
        }
        try {
            JsonNode retry = JSON.readTree(column);
            List<RetryPhase> phases = new ArrayList<>();
            for (JsonNode phase : retry.required("phases")) {
                phases.add(new RetryPhase(
                        RetryPhase.Shape.valueOf(
                                phase.required("shape").textValue().toUpperCase(Locale.ROOT)),
                        phase.required("retries").intValue(),
                        Duration.ofMillis(phase.required("delay_millis").longValue()),
                        phase.required("factor").doubleValue(),
                        phase.path("steady").booleanValue()));
            }
            return new RetryPolicy(
                    phases,
                    Duration.ofMillis(retry.required("delay_max_millis").longValue()),
                    retry.required("jitter").doubleValue(),
                    Duration.ofMillis(retry.path("random_delay_millis").longValue()),
                    retry.path("after_timeout").asBoolean(true));
        } catch (JsonProcessingException notOurs) {
            throw new IllegalStateException("job_queue.retry contains no retry policy", notOurs);
        }
    }
}
