package dev.millrace.cli.local;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.AppenderBase;
import dev.millrace.telemetry.LogTelemetry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.logs.LogRecordBuilder;
import io.opentelemetry.api.logs.Severity;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.ILoggerFactory;
import org.slf4j.LoggerFactory;
import org.slf4j.event.KeyValuePair;

/**
 * Sends the log lines of this process to an OpenTelemetry collector too, if {@code OTEL_LOGS_EXPORTER} is {@code otlp}. Key-value
 * pairs become attributes, under the names that they have in JSON lines; failures have those of
 * <a href="https://opentelemetry.io/docs/specs/semconv/exceptions/exceptions-logs/">the semantic conventions</a>.
 */
final class LogExport extends AppenderBase<ILoggingEvent> implements AutoCloseable {
    /** Loggers of what sends the lines: a line about a failed sending would be sent, and fail. */
    private static final List<String> SENDERS =
            List.of("dev.millrace.telemetry.", "io.opentelemetry.", "io.grpc.", "jdk.internal.httpclient.");

    private static final AttributeKey<String> THREAD = AttributeKey.stringKey("thread.name");
    private static final AttributeKey<String> FAILURE_TYPE = AttributeKey.stringKey("exception.type");
    private static final AttributeKey<String> FAILURE_MESSAGE = AttributeKey.stringKey("exception.message");
    private static final AttributeKey<String> FAILURE_STACK = AttributeKey.stringKey("exception.stacktrace");

    private final LogTelemetry telemetry;
    private final Logger root;

    private LogExport(LogTelemetry telemetry, LoggerContext loggers) {
        this.telemetry = telemetry;
        this.root = loggers.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        setName("otlp");
        setContext(loggers);
    }

    /**
     * Starts to send, if the variables of this process ask for it.
     *
     * @param service name of the service without {@code OTEL_SERVICE_NAME}
     * @throws IllegalArgumentException if a variable is not valid
     */
    static Optional<LogExport> start(String service) {
        return start(service, Map.of());
    }

    static Optional<LogExport> start(String service, Map<String, String> settings) {
        ILoggerFactory loggers = LoggerFactory.getILoggerFactory();
        return LogTelemetry.start(service, settings).map(telemetry -> {
            LogExport export = new LogExport(telemetry, (LoggerContext) loggers);
            export.start();
            export.root.addAppender(export);
            return export;
        });
    }

    @Override
    public void close() {
        root.detachAppender(this);
        stop();
        telemetry.close();
    }

    @Override
    protected void append(ILoggingEvent event) {
        if (SENDERS.stream().anyMatch(event.getLoggerName()::startsWith)) {
            return;
        }
        LogRecordBuilder sent = telemetry
                .logger(event.getLoggerName())
                .logRecordBuilder()
                .setTimestamp(event.getInstant())
                .setSeverity(severity(event.getLevel()))
                .setSeverityText(event.getLevel().toString())
                .setBody(event.getFormattedMessage())
                .setAttribute(THREAD, event.getThreadName());
        event.getMDCPropertyMap().forEach((key, value) -> put(sent, key, value));
        List<KeyValuePair> pairs = event.getKeyValuePairs();
        if (pairs != null) {
            pairs.forEach(pair -> put(sent, pair.key, pair.value));
        }
        IThrowableProxy failure = event.getThrowableProxy();
        if (failure != null) {
            sent.setAttribute(FAILURE_TYPE, failure.getClassName())
                    .setAttribute(FAILURE_MESSAGE, failure.getMessage())
                    .setAttribute(FAILURE_STACK, ThrowableProxyUtil.asString(failure));
        }
        sent.emit();
    }

    private static Severity severity(Level level) {
        return switch (level.toInt()) {
            case Level.ERROR_INT -> Severity.ERROR;
            case Level.WARN_INT -> Severity.WARN;
            case Level.INFO_INT -> Severity.INFO;
            case Level.DEBUG_INT -> Severity.DEBUG;
            default -> Severity.TRACE;
        };
    }

    private static void put(LogRecordBuilder sent, String key, Object value) {
        switch (value) {
            case Boolean flag -> sent.setAttribute(AttributeKey.booleanKey(key), flag);
            case Integer number -> sent.setAttribute(AttributeKey.longKey(key), number.longValue());
            case Long number -> sent.setAttribute(AttributeKey.longKey(key), number);
            case null -> sent.setAttribute(AttributeKey.stringKey(key), "null");
            default -> sent.setAttribute(AttributeKey.stringKey(key), value.toString());
        }
    }
}
