package dev.millrace.cli.local;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.joran.spi.JoranException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.event.KeyValuePair;

/** Log lines in the layout of the services' configuration. */
class LogTextTest {
    /** A forged line, two ways to clear the screen, and access to the clipboard. */
    private static final String HOSTILE =
            "a\r\n2026-01-01 INFO forged\u001b[2J\u009b2J\u001b]52;c;eA==\u0007\u007f\u202e";

    private static final String SHOWN = "a\\r\\n2026-01-01 INFO forged\\x1b[2J\\x9b2J\\x1b]52;c;eA==\\x07\\x7f\\u202e";

    private final LoggerContext context = new LoggerContext();

    @BeforeEach
    void configure() throws JoranException {
        context.putProperty("MILLRACE_LOG_FORMAT", "text");
        var configurator = new JoranConfigurator();
        configurator.setContext(context);
        configurator.doConfigure(requireNonNull(LogTextTest.class.getResource("/logback.xml")));
    }

    @AfterEach
    void stop() {
        context.stop();
    }

    @Test
    void keepsAMessageInItsLine() {
        assertThat(layOut("A worker said {}", List.of(), null, HOSTILE))
                .endsWith("INFO  LogTextTest: A worker said " + SHOWN + " \n")
                .satisfies(LogTextTest::isOneLine);
    }

    @Test
    void keepsValuesInTheirLine() {
        assertThat(layOut("A worker's stream broke", List.of(new KeyValuePair("reason", HOSTILE)), null))
                .endsWith("A worker's stream broke reason=\"" + SHOWN + "\"\n")
                .satisfies(LogTextTest::isOneLine);
    }

    @Test
    void keepsTheLinesOfAStackTraceAndNoOthers() {
        var failure = new IllegalStateException(HOSTILE, new IllegalArgumentException("cause " + HOSTILE));
        failure.addSuppressed(new IllegalArgumentException("beside " + HOSTILE));

        String[] lines = layOut("It failed", List.of(), failure).split("\n");

        assertThat(lines)
                .contains(
                        "java.lang.IllegalStateException: " + SHOWN,
                        "Caused by: java.lang.IllegalArgumentException: cause " + SHOWN,
                        "\tSuppressed: java.lang.IllegalArgumentException: beside " + SHOWN);
        assertThat(lines).hasSizeGreaterThan(6);
        assertThat(lines[0]).endsWith("LogTextTest: It failed ");
        assertThat(lines)
                .allSatisfy(line -> assertThat(line.replace("\t", "").chars()).noneMatch(Character::isISOControl))
                .noneSatisfy(line -> assertThat(line).startsWith("2026-01-01"));
    }

    @Test
    void leavesOtherTextAsItIs() {
        assertThat(layOut("Grüße, 世界 🎉 \\n", List.of(), null)).endsWith(": Grüße, 世界 🎉 \\n \n");
    }

    private static void isOneLine(String text) {
        assertThat(text).endsWith("\n");
        assertThat(text.substring(0, text.length() - 1).chars()).noneMatch(Character::isISOControl);
    }

    private String layOut(String message, List<KeyValuePair> pairs, @Nullable Throwable failure, Object... arguments) {
        Logger logger = context.getLogger(LogTextTest.class);
        var event = new LoggingEvent(LogTextTest.class.getName(), logger, Level.INFO, message, failure, arguments);
        event.setKeyValuePairs(pairs);
        var console = (ConsoleAppender<ILoggingEvent>)
                context.getLogger(Logger.ROOT_LOGGER_NAME).getAppender("console");
        return new String(console.getEncoder().encode(event), UTF_8);
    }
}
