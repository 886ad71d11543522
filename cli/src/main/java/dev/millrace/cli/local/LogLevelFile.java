package dev.millrace.cli.local;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Levels of loggers in a file, which is read again when it changes, so that a running service can tell more. Each line is
 * like {@code dev.millrace.scheduler.lane=debug}; {@code root} names the level of all others. Loggers that leave the file
 * get back the level that they had.
 */
final class LogLevelFile implements AutoCloseable {
    /** Environment variable that names the file. */
    static final String VARIABLE = "MILLRACE_LOG_LEVEL_FILE";

    private static final org.slf4j.Logger log = LoggerFactory.getLogger(LogLevelFile.class);
    private static final Duration INTERVAL = Duration.ofSeconds(2);
    private static final Set<String> LEVELS = Set.of("trace", "debug", "info", "warn", "error", "off");
    private static final int BYTES_MAX = 64 << 10;

    private final Path file;
    private final LoggerContext loggers;
    private final Map<String, @Nullable Level> before = new HashMap<>();
    private final Thread thread = Thread.ofVirtual().name("log-levels").unstarted(this::watch);
    private String seen = "";

    LogLevelFile(Path file, LoggerContext loggers) {
        this.file = file;
        this.loggers = loggers;
    }

    /** Reads the file that the environment names, now and again when it changes. */
    static Optional<LogLevelFile> watch(Map<String, String> environment) {
        String file = environment.getOrDefault(VARIABLE, "");
        if (file.isEmpty() || !(LoggerFactory.getILoggerFactory() instanceof LoggerContext loggers)) {
            return Optional.empty();
        }
        LogLevelFile levels = new LogLevelFile(Path.of(file), loggers);
        levels.readAgain();
        levels.thread.start();
        return Optional.of(levels);
    }

    @Override
    public void close() {
        thread.interrupt();
    }

    private void watch() {
        try {
            while (true) {
                Thread.sleep(INTERVAL);
                readAgain();
            }
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    /** Sets the levels if the file has changed. A file that is not there is empty. */
    void readAgain() {
        String text;
        try {
            text = Files.exists(file) && Files.size(file) <= BYTES_MAX ? Files.readString(file) : "";
        } catch (IOException e) {
            text = "";
        }
        if (!text.equals(seen)) {
            seen = text;
            set(parse(text));
        }
    }

    private Map<String, Level> parse(String text) {
        Properties lines = new Properties();
        try {
            lines.load(new StringReader(text));
        } catch (IOException | IllegalArgumentException e) {
            log.atWarn()
                    .addKeyValue("file", file)
                    .addKeyValue("reason", e.getMessage())
                    .log("No log levels are set");
        }
        Map<String, Level> levels = new HashMap<>();
        for (String name : lines.stringPropertyNames()) {
            String level = lines.getProperty(name).strip().toLowerCase(Locale.ROOT);
            if (LEVELS.contains(level)) {
                levels.put(name.equals("root") ? Logger.ROOT_LOGGER_NAME : name, Level.toLevel(level));
            } else {
                log.atWarn()
                        .addKeyValue("file", file)
                        .addKeyValue("name", name)
                        .addKeyValue("value", level)
                        .addKeyValue("expected", new TreeSet<>(LEVELS))
                        .log("A log level is unknown and was left out");
            }
        }
        return levels;
    }

    private void set(Map<String, Level> levels) {
        before.entrySet().removeIf(entry -> {
            boolean isGone = !levels.containsKey(entry.getKey());
            if (isGone) {
                loggers.getLogger(entry.getKey()).setLevel(entry.getValue());
            }
            return isGone;
        });
        levels.forEach((name, level) -> {
            Logger logger = loggers.getLogger(name);
            if (!before.containsKey(name)) {
                before.put(name, logger.getLevel());
            }
            logger.setLevel(level);
        });
        log.atInfo()
                .addKeyValue("file", file)
                .addKeyValue(
                        "levels",
                        levels.entrySet().stream()
                                .map(entry -> entry.getKey() + "=" + entry.getValue())
                                .sorted()
                                .collect(Collectors.joining(",")))
                .log("The log levels have changed");
    }
}
