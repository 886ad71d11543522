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
    /** Largest number of user properties of a message that is read. Each takes many times what it takes in the packet. */
    public static final int USER_MAX = 1_000;

    /** Rough size of a property without its texts. */
    private static final int PROPERTY_BYTES = 150;

    /** None. */
    public static final MessageProperties NONE =
            new MessageProperties(Optional.empty(), Optional.empty(), Optional.empty(), Map.of());

    public MessageProperties {
        requireNonNull(contentType, "contentType");
        requireNonNull(responseTopic, "responseTopic");
        requireNonNull(correlation, "correlation");
        user = Collections.unmodifiableMap(new LinkedHashMap<>(user));
    }

    /** Rough number of bytes that they take in memory. */
    int size() {
        int size = contentType.map(String::length).orElse(0)
                + responseTopic.map(String::length).orElse(0)
                + correlation.map(bytes -> bytes.length).orElse(0);
        for (Map.Entry<String, String> property : user.entrySet()) {
            size += PROPERTY_BYTES
                    + property.getKey().length()
                    + property.getValue().length();
        }
        return size;
    }
}
