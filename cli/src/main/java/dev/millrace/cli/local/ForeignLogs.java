package dev.millrace.cli.local;

import java.util.logging.LogManager;
import org.slf4j.bridge.SLF4JBridgeHandler;

/**
 * Brings what libraries log by {@code java.util.logging}, such as gRPC and the driver of Postgres, into the logs of the
 * services. By itself it would go to standard error in a format of its own, with stack traces of what strangers sent.
 */
final class ForeignLogs {
    private ForeignLogs() {}

    /** Redirects such logs from now on. Levels are those of {@code logback.xml}. */
    static void redirect() {
        if (!SLF4JBridgeHandler.isInstalled()) {
            LogManager.getLogManager().reset();
            SLF4JBridgeHandler.install();
        }
    }
}
