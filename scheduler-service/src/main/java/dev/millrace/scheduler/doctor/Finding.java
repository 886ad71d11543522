package dev.millrace.scheduler.doctor;

import static java.util.Objects.requireNonNull;

/**
 * The result of one check.
 *
 * @param level how bad it is
 * @param subject what was checked, in one or two words that never change, such as {@code database settings}
 * @param text what was found
 * @param advice what to do; empty if there is nothing to do
 */
public record Finding(Level level, String subject, String text, String advice) {
    /** From good to bad. */
    public enum Level {
        OK,
        /** It works, and will cause trouble under load or later. */
        WARNING,
        /** It does not work, or data may be lost. */
        ERROR
    }

    public Finding {
        requireNonNull(level, "level");
        requireNonNull(subject, "subject");
        requireNonNull(text, "text");
        requireNonNull(advice, "advice");
    }

    public static Finding ok(String subject, String text) {
        return new Finding(Level.OK, subject, text, "");
    }

    public static Finding warning(String subject, String text, String advice) {
        return new Finding(Level.WARNING, subject, text, advice);
    }

    public static Finding error(String subject, String text, String advice) {
        return new Finding(Level.ERROR, subject, text, advice);
    }
}
