package dev.millrace.cli.local;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Collects the given flags as settings by key. */
final class Flags {
    private final Map<String, String> settings = new LinkedHashMap<>();

    /** Sets a key, unless the flag was not given. */
    Flags with(String key, @Nullable Object value) {
        if (value != null) {
            settings.put(key, value.toString());
        }
        return this;
    }

    Map<String, String> settings() {
        return Map.copyOf(settings);
    }
}
