package dev.millrace.cli.local;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class ForeignLogsTest {
    @Test
    void bringsTheLogsOfLibrariesIntoOurs() {
        ForeignLogs.redirect();
        ForeignLogs.redirect();
        ListAppender<ILoggingEvent> shown = new ListAppender<>();
        shown.start();
        Logger logger = (Logger) LoggerFactory.getLogger("io.grpc");
        logger.addAppender(shown);
        try {
            java.util.logging.Logger library = java.util.logging.Logger.getLogger("io.grpc.netty.Transport");
            library.info("Transport failed");
            library.warning("Something to know");
        } finally {
            logger.detachAppender(shown);
        }

        assertThat(shown.list)
                .singleElement()
                .satisfies(event -> assertThat(event.getFormattedMessage()).isEqualTo("Something to know"));
    }
}
