package dev.millrace.cli.local;

import ch.qos.logback.classic.encoder.PatternLayoutEncoder;

/** Writes log lines for people or for programs, as {@link LogFormat} decides. {@code logback.xml} names this class. */
public final class LogEncoder extends PatternLayoutEncoder {
    private String format = "auto";

    /** Sets the format: {@code text}, {@code json} or {@code auto}. */
    public void setFormat(String value) {
        format = value;
    }

    @Override
    public void start() {
        super.start();
        if (LogFormat.of(format) == LogFormat.JSON) {
            JsonLogLayout lines = new JsonLogLayout();
            lines.setContext(getContext());
            lines.start();
            layout = lines;
        }
    }
}
