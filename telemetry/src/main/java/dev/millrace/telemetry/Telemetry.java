package dev.millrace.telemetry;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SpanProcessor;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * OpenTelemetry of one service, configured by the variables of OpenTelemetry's SDK. It is off unless an exporter or an
 * endpoint is configured, and costs nothing then.
 *
 * <p>Spans wait in a bounded buffer and leave on a thread of the SDK. If the collector is away, the buffer fills up and
 * further spans are dropped: nobody waits for the collector. Thread-safe.
 */
public final class Telemetry implements AutoCloseable {
    /** Name of the instrumentation scope of spans that Millrace makes. */
    public static final String SCOPE = "dev.millrace";

    /** Attribute of resources with the name of the service. */
    public static final AttributeKey<String> SERVICE_NAME = AttributeKey.stringKey("service.name");

    /** Attribute of resources that tells instances of a service apart. */
    public static final AttributeKey<String> SERVICE_INSTANCE = AttributeKey.stringKey("service.instance.id");

    private static final Logger log = LoggerFactory.getLogger(Telemetry.class);

    /** Settings that turn tracing on, if they are not empty. */
    private static final List<String> SWITCHES =
            List.of("otel.traces.exporter", "otel.exporter.otlp.endpoint", "otel.exporter.otlp.traces.endpoint");
    /** Longest wait for spans to leave when the service stops. */
    private static final long FLUSH_SECONDS_MAX = 3;

    private static final Telemetry OFF =
            new Telemetry(Optional.empty(), OpenTelemetry.noop(), Resource.empty(), List.of());

    private final Optional<OpenTelemetrySdk> sdk;
    private final OpenTelemetry api;
    private final Resource resource;
    private final List<SpanProcessor> processors;

    private Telemetry(
            Optional<OpenTelemetrySdk> sdk, OpenTelemetry api, Resource resource, List<SpanProcessor> processors) {
        this.sdk = sdk;
        this.api = api;
        this.resource = resource;
        this.processors = processors;
    }

    /** Records nothing. */
    public static Telemetry off() {
        return OFF;
    }

    /**
     * Starts as the variables of this process say.
     *
     * @param service name of the service, unless {@code OTEL_SERVICE_NAME} names it
     */
    public static Telemetry start(String service) {
        return start(service, Map.of());
    }

    /**
     * Starts as these settings and the variables of this process say.
     *
     * @param settings settings by their property names, such as {@code otel.exporter.otlp.endpoint}; they win over
     *     variables
     * @throws IllegalArgumentException if a setting is invalid
     */
    public static Telemetry start(String service, Map<String, String> settings) {
        if (!isConfigured(name -> setting(name, settings))) {
            return off();
        }
        List<SpanProcessor> processors = new CopyOnWriteArrayList<>();
        AtomicReference<Resource> found = new AtomicReference<>(Resource.empty());
        OpenTelemetrySdk sdk = configure(service, settings, processors, found);
        Resource resource = found.get();
        log.atInfo().addKeyValue("service", resource.getAttribute(SERVICE_NAME)).log("Tracing is on");
        return new Telemetry(Optional.of(sdk), sdk, resource, processors);
    }

    private static OpenTelemetrySdk configure(
            String service,
            Map<String, String> settings,
            List<SpanProcessor> processors,
            AtomicReference<Resource> resource) {
        try {
            return AutoConfiguredOpenTelemetrySdk.builder()
                    .disableShutdownHook()
                    .setServiceClassLoader(Telemetry.class.getClassLoader())
                    .addPropertiesSupplier(() -> Map.of("otel.service.name", service))
                    .addPropertiesCustomizer(_ -> tracesOnly(settings))
                    .addResourceCustomizer((configured, _) -> {
                        resource.set(configured);
                        return configured;
                    })
                    .addSpanExporterCustomizer((exporter, _) -> new WatchedSpans(exporter))
                    .addSpanProcessorCustomizer((processor, _) -> {
                        processors.add(processor);
                        return processor;
                    })
                    .build()
                    .getOpenTelemetrySdk();
        } catch (RuntimeException invalid) {
            throw new IllegalArgumentException(
                    "The OTEL_* variables are not valid: " + invalid.getMessage()
                            + ". Correct them, or turn tracing off with OTEL_SDK_DISABLED=true.",
                    invalid);
        }
    }

    /** The settings without metrics and logs, which do not go through this SDK. */
    private static Map<String, String> tracesOnly(Map<String, String> settings) {
        Map<String, String> given = new HashMap<>(settings);
        given.put("otel.metrics.exporter", "none");
        given.put("otel.logs.exporter", "none");
        return given;
    }

    /** Whether the settings ask for traces. */
    static boolean isConfigured(UnaryOperator<String> settings) {
        return !settings.apply("otel.sdk.disabled").equalsIgnoreCase("true")
                && !settings.apply("otel.traces.exporter").equalsIgnoreCase("none")
                && SWITCHES.stream().anyMatch(name -> !settings.apply(name).isBlank());
    }

    /** A setting by its property name, from the given ones, the properties or the variables of this process; empty if absent. */
    static String setting(String name, Map<String, String> settings) {
        String given = settings.get(name);
        if (given != null) {
            return given;
        }
        String property = System.getProperty(name);
        if (property != null) {
            return property;
        }
        String variable = System.getenv(name.toUpperCase(Locale.ROOT).replace('.', '_'));
        return variable == null ? "" : variable;
    }

    /** Whether spans are exported. */
    public boolean isOn() {
        return sdk.isPresent();
    }

    /** Makes spans of this service. */
    public Tracer tracer() {
        return api.getTracer(SCOPE);
    }

    /**
     * The context of a span below that of a caller.
     *
     * @param traceparent the caller's, if it sent one
     * @param tracestate the caller's, as {@link Tracestate#read} returns it; empty for none
     */
    public static Context parent(@Nullable String traceparent, String tracestate) {
        return Traceparent.parse(traceparent == null ? "" : traceparent)
                .map(caller -> Context.root()
                        .with(Span.wrap(SpanContext.createFromRemoteParent(
                                caller.traceId(),
                                caller.spanId(),
                                caller.isSampled() ? TraceFlags.getSampled() : TraceFlags.getDefault(),
                                Tracestate.members(tracestate)))))
                .orElseGet(Context::root);
    }

    /** What is said of this service with each of its spans. */
    public Resource resource() {
        return resource;
    }

    /** Exports a span that was made elsewhere. Never waits; does nothing if telemetry is off. */
    public void export(FinishedSpan span) {
        ReadyMadeSpan ready = new ReadyMadeSpan(span);
        for (SpanProcessor processor : processors) {
            processor.onEnd(ready);
        }
    }

    /** Lets the spans so far leave, for at most {@link #FLUSH_SECONDS_MAX}. */
    public void flush() {
        sdk.ifPresent(started -> started.getSdkTracerProvider().forceFlush().join(FLUSH_SECONDS_MAX, TimeUnit.SECONDS));
    }

    @Override
    public void close() {
        flush();
        sdk.ifPresent(started -> started.shutdown().join(1, TimeUnit.SECONDS));
    }
}
