package dev.millrace.cli.local;

import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCode;
import dev.millrace.handler.http.HttpHandlerOptions;
import dev.millrace.handler.kafka.KafkaHandlerOptions;
import io.smallrye.config.SmallRyeConfig;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;

/**
 * Settings of a worker's built-in handlers.
 *
 * @param slots number of their jobs that may run at once; 0 disables the handlers
 */
record HandlerSettings(int slots, HttpHandlerOptions http, KafkaHandlerOptions kafka) {
    static final String SLOTS = "millrace.worker.handler-slots";
    static final String HTTP_ALLOW_PRIVATE = "millrace.worker.http-allow-private";
    static final String KAFKA_CONFIG = "millrace.worker.kafka-config";

    /** Higher than the number of processors, because the handlers mostly wait for others. */
    private static final int SLOTS_DEFAULT = 16;

    static HandlerSettings read(SmallRyeConfig config) {
        boolean allowPrivate =
                config.getOptionalValue(HTTP_ALLOW_PRIVATE, Boolean.class).orElse(false);
        return new HandlerSettings(
                config.getOptionalValue(SLOTS, Integer.class).orElse(SLOTS_DEFAULT),
                new HttpHandlerOptions(allowPrivate),
                new KafkaHandlerOptions(
                        config.getOptionalValue(KAFKA_CONFIG, String.class)
                                .map(file -> properties(Path.of(file)))
                                .orElse(Map.of()),
                        allowPrivate));
    }

    private static Map<String, String> properties(Path file) {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            properties.load(reader);
        } catch (IOException e) {
            throw new CommandFailure(
                    ExitCode.USAGE,
                    KAFKA_CONFIG + ": the file " + file
                            + " cannot be read. Check its path and that this user may read it.",
                    e);
        }
        Map<String, String> settings = new LinkedHashMap<>();
        properties.stringPropertyNames().forEach(name -> settings.put(name, properties.getProperty(name)));
        return settings;
    }
}
