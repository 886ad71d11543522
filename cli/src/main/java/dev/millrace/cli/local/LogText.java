package dev.millrace.cli.local;

import ch.qos.logback.classic.pattern.KeyValuePairConverter;
import ch.qos.logback.classic.pattern.MessageConverter;
import ch.qos.logback.classic.pattern.ThrowableProxyConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.StackTraceElementProxy;
import dev.millrace.cli.output.ControlCharacters;
import org.jspecify.annotations.Nullable;

/**
 * Converters for those parts of a log line that jobs and callers may have written. They show control characters as
 * text, so that a line stays one line and nothing in it controls the terminal. {@code logback.xml} names these classes.
 */
public final class LogText {
    private LogText() {}

    /** A message with its arguments. */
    public static final class Message extends MessageConverter {
        @Override
        public String convert(ILoggingEvent event) {
            return ControlCharacters.line(super.convert(event));
        }
    }

    /** Key-value pairs. */
    public static final class Pairs extends KeyValuePairConverter {
        @Override
        public String convert(ILoggingEvent event) {
            return ControlCharacters.line(super.convert(event));
        }
    }

    /** A failure with its stack trace; each of its messages stays on one line. */
    public static final class Failure extends ThrowableProxyConverter {
        @Override
        protected String throwableProxyToString(IThrowableProxy failure) {
            return super.throwableProxyToString(new Shown(failure));
        }
    }

    private record Shown(IThrowableProxy failure) implements IThrowableProxy {
        private static @Nullable IThrowableProxy of(@Nullable IThrowableProxy failure) {
            return failure == null ? null : new Shown(failure);
        }

        @Override
        public @Nullable String getMessage() {
            String message = failure.getMessage();
            return message == null ? null : ControlCharacters.line(message);
        }

        @Override
        public String getClassName() {
            return failure.getClassName();
        }

        @Override
        public StackTraceElementProxy[] getStackTraceElementProxyArray() {
            return failure.getStackTraceElementProxyArray();
        }

        @Override
        public int getCommonFrames() {
            return failure.getCommonFrames();
        }

        @Override
        public @Nullable IThrowableProxy getCause() {
            return of(failure.getCause());
        }

        @Override
        public IThrowableProxy[] getSuppressed() {
            IThrowableProxy[] suppressed = failure.getSuppressed();
            IThrowableProxy[] shown = new IThrowableProxy[suppressed.length];
            for (int i = 0; i < suppressed.length; i++) {
                shown[i] = new Shown(suppressed[i]);
            }
            return shown;
        }

        @Override
        public boolean isCyclic() {
            return failure.isCyclic();
        }
    }
}
