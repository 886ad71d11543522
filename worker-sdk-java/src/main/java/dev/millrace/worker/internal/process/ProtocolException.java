package dev.millrace.worker.internal.process;

/**
 * A process sent something that is not a frame, or a frame at the wrong time. The message completes "The process sent
 * …".
 */
final class ProtocolException extends Exception {
    static final int EXCERPT_BYTES_MAX = 200;

    private final boolean resultTooLarge;

    ProtocolException(String message) {
        this(message, false);
    }

    ProtocolException(String message, boolean resultTooLarge) {
        super(message);
        this.resultTooLarge = resultTooLarge;
    }

    /** Whether the frame that was too long to read is a result. */
    boolean isResultTooLarge() {
        return resultTooLarge;
    }
}
