package dev.millrace.cli.local;

/** Log level of the services in this process; {@code logback.xml} reads it. */
public final class LogLevel {
    private static final String NAME = "MILLRACE_LOG_LEVEL";

    private LogLevel() {}

    /**
     * Limits logging to warnings and errors, unless the environment sets a level. Must be called before anything logs.
     */
    public static void quiet() {
        if (System.getenv(NAME) == null && System.getProperty(NAME) == null) {
            System.setProperty(NAME, "warn");
        }
    }
}
