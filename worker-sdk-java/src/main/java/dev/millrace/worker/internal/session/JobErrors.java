package dev.millrace.worker.internal.session;

import dev.millrace.proto.common.v1.JobError;
import java.time.Duration;

/** Errors that the worker itself gives a job; their names are part of the contract. */
public final class JobErrors {
    private JobErrors() {}

    public static JobError of(String name, String message, boolean retryable) {
        return JobError.newBuilder()
                .setName(name)
                .setMessage(message)
                .setRetryable(retryable)
                .build();
    }

    public static JobError timedOut(Duration timeout) {
        return of("TimedOut", "The attempt ran longer than its timeout of " + inWords(timeout) + ".", true);
    }

    static JobError resultTooLarge(int bytes, int bytesMax) {
        return of(
                "ResultTooLarge",
                "The result has " + bytes + " bytes, but a result may have at most " + bytesMax
                        + ". Return less, or store the data elsewhere and return its address.",
                false);
    }

    /** The duration in words: {@code 250 ms}, {@code 1.5 s}, {@code 30 s}. */
    public static String inWords(Duration duration) {
        long millis = duration.toMillis();
        if (millis < 1_000) {
            return millis + " ms";
        }
        return millis % 1_000 == 0 ? millis / 1_000 + " s" : millis / 1_000.0 + " s";
    }
}
