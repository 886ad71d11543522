package dev.millrace.scheduler.retention;

import dev.millrace.scheduler.config.RetentionConfig;
import java.time.Duration;
import java.util.Optional;

/**
 * The age at which a rule removes rows.
 *
 * @param setting key of the setting that overrides {@code otherwise}; absent if there is none
 * @param otherwise the age if the setting is absent or not set
 */
public record Age(Optional<String> setting, Duration otherwise) {
    /** Age of ended runs, and of everything that is kept with them. */
    public static final Age HISTORY = setting("millrace.retention.history", Duration.ofDays(30));

    /**
     * An age that operators can set.
     *
     * @param key begins with {@value RetentionConfig#SECTION}
     */
    public static Age setting(String key, Duration otherwise) {
        return new Age(Optional.of(key), otherwise);
    }

    public static Age fixed(Duration age) {
        return new Age(Optional.empty(), age);
    }

    /** The age in an installation with these settings. */
    Duration in(RetentionConfig config) {
        return setting.flatMap(config::age).orElse(otherwise);
    }
}
