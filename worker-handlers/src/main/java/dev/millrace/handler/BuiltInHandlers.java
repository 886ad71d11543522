package dev.millrace.handler;

import dev.millrace.handler.http.HttpHandler;
import dev.millrace.handler.http.HttpHandlerOptions;
import dev.millrace.handler.kafka.KafkaHandler;
import dev.millrace.handler.kafka.KafkaHandlerOptions;
import dev.millrace.worker.JobHandler;
import java.util.Map;

/** The handlers that are built into Millrace's own worker. */
public final class BuiltInHandlers implements AutoCloseable {
    private final HttpHandler http;
    private final KafkaHandler kafka;

    public BuiltInHandlers(HttpHandlerOptions httpOptions, KafkaHandlerOptions kafkaOptions) {
        this.http = new HttpHandler(httpOptions);
        this.kafka = new KafkaHandler(kafkaOptions);
    }

    /** The handlers by name. */
    public Map<String, JobHandler> byName() {
        return Map.of(HttpHandler.NAME, http, KafkaHandler.NAME, kafka);
    }

    /** Closes connections at once. Call it when no jobs run any more. */
    @Override
    public void close() {
        http.close();
        kafka.close();
    }
}
