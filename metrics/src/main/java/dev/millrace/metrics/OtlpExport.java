package dev.millrace.metrics;

import java.io.IOException;
import java.net.URI;
import java.net.URLDecoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the metrics of a process to a collector from time to time, by OTLP over HTTP, if {@code OTEL_METRICS_EXPORTER} is
 * {@code otlp}. A collector that does not answer costs a warning, and the next sending tells everything again, since all
 * counts are sums since the start.
 */
public final class OtlpExport implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(OtlpExport.class);
    private static final String PATH = "/v1/metrics";
    private static final long NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final int SUCCESS_CLASS = 2;
    private static final int CLASS = 100;

    private final Metrics metrics;
    private final URI endpoint;
    private final Map<String, String> headers;
    private final Map<String, String> resource;
    private final Duration interval;
    private final Duration timeout;
    private final HttpClient client;
    private final long startNanos = epochNanos();
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Thread thread;
    private boolean hasFailed;

    private OtlpExport(Metrics metrics, String service, Map<String, String> environment) {
        this.metrics = metrics;
        this.endpoint = endpoint(environment);
        this.headers = pairs(text(environment, "OTEL_EXPORTER_OTLP_METRICS_HEADERS", "OTEL_EXPORTER_OTLP_HEADERS"));
        this.resource = resource(service, environment);
        this.interval = Duration.ofMillis(number(environment, "OTEL_METRIC_EXPORT_INTERVAL", 60_000));
        this.timeout = Duration.ofMillis(number(environment, "OTEL_EXPORTER_OTLP_TIMEOUT", 10_000));
        this.client = HttpClient.newBuilder().connectTimeout(timeout).build();
        this.thread = Thread.ofVirtual().name("otlp-metrics").unstarted(this::run);
    }

    /**
     * Starts to send, if the environment asks for it.
     *
     * @param service name of the service without {@code OTEL_SERVICE_NAME}
     * @throws IllegalArgumentException if a variable is not valid
     */
    public static Optional<OtlpExport> start(Metrics metrics, String service, Map<String, String> environment) {
        boolean isWanted = Stream.of(
                        environment.getOrDefault("OTEL_METRICS_EXPORTER", "").split(","))
                .anyMatch(exporter -> exporter.strip().equals("otlp"));
        if (!isWanted || Boolean.parseBoolean(environment.getOrDefault("OTEL_SDK_DISABLED", "false"))) {
            return Optional.empty();
        }
        OtlpExport export = new OtlpExport(metrics, service, environment);
        export.thread.start();
        return Optional.of(export);
    }

    /** Sends a last time, and stops. */
    @Override
    public void close() {
        closing.countDown();
        try {
            thread.join(timeout);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        client.shutdownNow();
    }

    private void run() {
        try {
            boolean isLast;
            do {
                isLast = closing.await(interval.toMillis(), TimeUnit.MILLISECONDS);
                send();
            } while (!isLast);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void send() throws InterruptedException {
        byte[] body = new OtlpRequest(startNanos, epochNanos())
                .of(metrics.snapshots(), resource)
                .toByteArray();
        HttpRequest.Builder request = HttpRequest.newBuilder(endpoint)
                .timeout(timeout)
                .header("Content-Type", "application/x-protobuf")
                .POST(HttpRequest.BodyPublishers.ofByteArray(body));
        headers.forEach(request::header);
        try {
            int status = client.send(request.build(), BodyHandlers.discarding()).statusCode();
            if (status / CLASS == SUCCESS_CLASS) {
                hasFailed = false;
            } else {
                failed("it answers with the status " + status);
            }
        } catch (IOException e) {
            failed(String.valueOf(e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage()));
        }
    }

    /** Warns once until sending succeeds again. */
    private void failed(String reason) {
        (hasFailed ? log.atDebug() : log.atWarn())
                .addKeyValue("endpoint", endpoint)
                .addKeyValue("reason", reason)
                .log("The collector does not take metrics; they are sent again later");
        hasFailed = true;
    }

    private static URI endpoint(Map<String, String> environment) {
        String own = environment.getOrDefault("OTEL_EXPORTER_OTLP_METRICS_ENDPOINT", "");
        String shared = environment.getOrDefault("OTEL_EXPORTER_OTLP_ENDPOINT", "http://localhost:4318");
        String address = own.isEmpty() ? shared.replaceFirst("/+$", "") + PATH : own;
        String protocol = text(environment, "OTEL_EXPORTER_OTLP_METRICS_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL");
        if (protocol.equals("grpc")) {
            throw new IllegalArgumentException(
                    "OTEL_EXPORTER_OTLP_PROTOCOL: grpc (expected: http/protobuf for metrics). Set"
                            + " OTEL_EXPORTER_OTLP_METRICS_PROTOCOL=http/protobuf and OTEL_EXPORTER_OTLP_METRICS_ENDPOINT to"
                            + " the collector's address for HTTP, such as http://localhost:4318/v1/metrics.");
        }
        return URI.create(address);
    }

    private static Map<String, String> resource(String service, Map<String, String> environment) {
        Map<String, String> resource = new LinkedHashMap<>();
        resource.put("service.name", service);
        resource.putAll(pairs(environment.getOrDefault("OTEL_RESOURCE_ATTRIBUTES", "")));
        Optional.ofNullable(environment.get("OTEL_SERVICE_NAME")).ifPresent(name -> resource.put("service.name", name));
        return resource;
    }

    private static Map<String, String> pairs(String list) {
        Map<String, String> pairs = new LinkedHashMap<>();
        for (String pair : list.split(",", -1)) {
            int equals = pair.indexOf('=');
            if (equals > 0) {
                pairs.put(
                        pair.substring(0, equals).strip(),
                        URLDecoder.decode(pair.substring(equals + 1).strip(), StandardCharsets.UTF_8));
            }
        }
        return pairs;
    }

    private static String text(Map<String, String> environment, String own, String shared) {
        return environment.getOrDefault(own, environment.getOrDefault(shared, ""));
    }

    private static long number(Map<String, String> environment, String variable, long otherwise) {
        String text = environment.getOrDefault(variable, "");
        try {
            return text.isEmpty() ? otherwise : Math.max(1, Long.parseLong(text));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(variable + ": " + text + " (expected: milliseconds)", e);
        }
    }

    private static long epochNanos() {
        Instant now = Instant.now();
        return now.getEpochSecond() * NANOS_PER_SECOND + now.getNano();
    }
}
