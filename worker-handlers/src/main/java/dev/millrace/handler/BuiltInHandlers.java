package dev.millrace.handler;

import dev.millrace.handler.http.HttpHandler;
import dev.millrace.handler.http.HttpHandlerOptions;
import dev.millrace.handler.kafka.KafkaHandler;
import dev.millrace.handler.kafka.KafkaHandlerOptions;
import dev.millrace.worker.JobHandler;
import java.util.Map;

/** All handlers that the ready-made worker brings along. */
public final class BuiltInHandlers implements AutoCloseable {
    private final HttpHandler http;
    private final KafkaHandler kafka;

    public BuiltInHandlers(HttpHandlerOptions httpOptions, KafkaHandlerOptions kafkaOptions) {
        this.http = new HttpHandler(httpOptions);
        this.kafka = new KafkaHandler(kafkaOptions);
    }

    /** The handlers by their names. */
    public Map<String, JobHandler> byName() {
        return Map.of(HttpHandler.NAME, http, KafkaHandler.NAME, kafka);
    }

    /** Ends connections at once; for when no job runs any more. */
    @Override
    public void close() {
        http.close();
        kafka.close();
    }
}
