package dev.millrace.client;

/** An input cannot be written as JSON, or an output does not fit the type that the caller asked for. */
public final class ConversionException extends MillraceException {
    private static final long serialVersionUID = 1L;

    ConversionException(String message, Throwable cause) {
        super(message, cause);
    }
}
