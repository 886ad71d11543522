package dev.millrace.cli.local;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.LayoutBase;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.slf4j.event.KeyValuePair;

/**
 * Writes an event as one JSON object in a line: {@code time}, {@code level}, {@code logger}, {@code message}, the
 * key-value pairs of the event and of its thread, and {@code error} with a stack trace. JSON escapes control characters,
 * so what jobs and callers have written cannot forge lines.
 */
final class JsonLogLayout extends LayoutBase<ILoggingEvent> {
    private static final Set<String> OWN = Set.of("time", "level", "logger", "thread", "message", "error");

    @Override
    public String doLayout(ILoggingEvent event) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("time", event.getInstant().toString());
        json.put("level", event.getLevel().toString().toLowerCase(Locale.ROOT));
        json.put("logger", event.getLoggerName());
        json.put("thread", event.getThreadName());
        json.put("message", event.getFormattedMessage());
        event.getMDCPropertyMap().forEach((key, value) -> put(json, key, value));
        List<KeyValuePair> pairs = event.getKeyValuePairs();
        if (pairs != null) {
            pairs.forEach(pair -> put(json, pair.key, pair.value));
        }
        IThrowableProxy failure = event.getThrowableProxy();
        if (failure != null) {
            json.putObject("error")
                    .put("type", failure.getClassName())
                    .put("message", failure.getMessage())
                    .put("stack", ThrowableProxyUtil.asString(failure));
        }
        return json + "\n";
    }

    /** Adds a value under its key; a key that the line has already gets an underscore. */
    private static void put(ObjectNode json, String key, Object value) {
        String free = OWN.contains(key) ? key + "_" : key;
        switch (value) {
            case Boolean flag -> json.put(free, flag);
            case Integer number -> json.put(free, number);
            case Long number -> json.put(free, number);
            case Map<?, ?> map -> json.put(free, map.toString());
            case null -> json.putNull(free);
            default -> json.put(free, value.toString());
        }
    }
}
