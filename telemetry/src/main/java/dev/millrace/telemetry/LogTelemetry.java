package dev.millrace.telemetry;

import io.opentelemetry.api.logs.Logger;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Takes the log records of a process to a collector, configured by the variables of OpenTelemetry's SDK, if
 * {@code OTEL_LOGS_EXPORTER} is set.
 *
 * <p>Records wait in a bounded buffer and leave on a thread of the SDK. If the collector is away, further records are
 * dropped: nobody waits for the collector. Thread-safe.
 */
public final class LogTelemetry implements AutoCloseable {
    private static final String EXPORTER = "otel.logs.exporter";
    private static final String NONE = "none";
    /** Longest wait for records to leave when the process stops. */
    private static final long FLUSH_SECONDS_MAX = 3;

    private final OpenTelemetrySdk sdk;

    private LogTelemetry(OpenTelemetrySdk sdk) {
        this.sdk = sdk;
    }

    /**
     * Starts as these settings and the variables of this process say; empty if they do not ask for logs.
     *
     * @param service name of the service, unless {@code OTEL_SERVICE_NAME} names it
     * @param settings settings by their property names, such as {@code otel.logs.exporter}; they win over variables
     * @throws IllegalArgumentException if a setting is invalid
     */
    public static Optional<LogTelemetry> start(String service, Map<String, String> settings) {
        String exporter = Telemetry.setting(EXPORTER, settings);
        if (exporter.isBlank()
                || exporter.equalsIgnoreCase(NONE)
                || Telemetry.setting("otel.sdk.disabled", settings).equalsIgnoreCase("true")) {
            return Optional.empty();
        }
        return Optional.of(new LogTelemetry(configure(service, settings)));
    }

    private static OpenTelemetrySdk configure(String service, Map<String, String> settings) {
        Map<String, String> logsOnly = new HashMap<>(settings);
        logsOnly.put("otel.traces.exporter", NONE);
        logsOnly.put("otel.metrics.exporter", NONE);
        try {
            return AutoConfiguredOpenTelemetrySdk.builder()
                    .disableShutdownHook()
                    .setServiceClassLoader(LogTelemetry.class.getClassLoader())
                    .addPropertiesSupplier(() -> Map.of("otel.service.name", service))
                    .addPropertiesCustomizer(_ -> logsOnly)
                    .addLogRecordExporterCustomizer((exporter, _) -> new WatchedLogs(exporter))
                    .build()
                    .getOpenTelemetrySdk();
        } catch (RuntimeException invalid) {
            throw new IllegalArgumentException(
                    "The OTEL_* variables are not valid: " + invalid.getMessage()
                            + ". Correct them, or keep the logs here with OTEL_LOGS_EXPORTER=none.",
                    invalid);
        }
    }

    /** Takes the records of a logger. */
    public Logger logger(String name) {
        return sdk.getSdkLoggerProvider().get(name);
    }

    /** Lets the records so far leave, for at most {@link #FLUSH_SECONDS_MAX}, and stops. */
    @Override
    public void close() {
        sdk.getSdkLoggerProvider().forceFlush().join(FLUSH_SECONDS_MAX, TimeUnit.SECONDS);
        sdk.shutdown().join(1, TimeUnit.SECONDS);
    }
}
