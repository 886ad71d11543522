package dev.millrace.scheduler.mqtt.core;

import static java.util.Objects.requireNonNull;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What a message of MQTT 5 has beside its payload.
 *
 * @param user values by name; of properties with the same name, the last one
 */
public record MessageProperties(
        Optional<String> contentType,
        Optional<String> responseTopic,
        Optional<byte[]> correlation,
        Map<String, String> user) {
    /** None. */
    public static final MessageProperties NONE =
            new MessageProperties(Optional.empty(), Optional.empty(), Optional.empty(), Map.of());

    public MessageProperties {
        requireNonNull(contentType, "contentType");
        requireNonNull(responseTopic, "responseTopic");
        requireNonNull(correlation, "correlation");
        user = Collections.unmodifiableMap(new LinkedHashMap<>(user));
    }
}
