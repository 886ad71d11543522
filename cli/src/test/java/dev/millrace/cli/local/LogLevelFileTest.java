package dev.millrace.cli.local;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

class LogLevelFileTest {
    private final LoggerContext loggers = new LoggerContext();

    /** A line of JSON names its own logger, so another one needs another key. */
    @Test
    void namesTheLoggerOfAnUnknownLevel(@TempDir Path folder) throws IOException {
        ListAppender<ILoggingEvent> warnings = new ListAppender<>();
        warnings.start();
        Logger own = (Logger) LoggerFactory.getLogger(LogLevelFile.class);
        own.addAppender(warnings);
        try {
            new LogLevelFile(Files.writeString(folder.resolve("levels"), "a.b=loud\n"), loggers).readAgain();
        } finally {
            own.detachAppender(warnings);
        }

        assertThat(warnings.list.getFirst().getKeyValuePairs())
                .extracting(pair -> pair.key + "=" + pair.value)
                .contains("name=a.b", "value=loud");
        assertThat(new JsonLogLayout().doLayout(warnings.list.getFirst())).contains("\"name\":\"a.b\"");
    }

    @Test
    void setsLevelsAndTakesThemBack(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("levels");
        LogLevelFile levels = new LogLevelFile(file, loggers);
        loggers.getLogger("ROOT").setLevel(Level.INFO);

        levels.readAgain();
        assertThat(loggers.getLogger("a.b").getEffectiveLevel()).isEqualTo(Level.INFO);

        Files.writeString(file, "# more of one package\na.b = debug\nroot=warn\nwrong=loud\n");
        levels.readAgain();
        assertThat(loggers.getLogger("a.b.C").getEffectiveLevel()).isEqualTo(Level.DEBUG);
        assertThat(loggers.getLogger("other").getEffectiveLevel()).isEqualTo(Level.WARN);
        assertThat(loggers.getLogger("wrong").getLevel()).isNull();

        Files.delete(file);
        levels.readAgain();
        assertThat(loggers.getLogger("a.b").getLevel()).isNull();
        assertThat(loggers.getLogger("other").getEffectiveLevel()).isEqualTo(Level.INFO);
    }
}
