package dev.millrace.cli.local;

/** How much the services of this process log; {@code logback.xml} reads it. */
public final class LogLevel {
    private static final String NAME = "MILLRACE_LOG_LEVEL";

    private LogLevel() {}

    /** Logs only what needs attention, unless the environment says otherwise. Call before anything logs. */
    public static void quiet() {
        if (System.getenv(NAME) == null && System.getProperty(NAME) == null) {
            System.setProperty(NAME, "warn");
        }
    }
}
