package dev.millrace.scheduler.jobapi;

import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;

/**
 * The room for values of secrets and resources in the input of one job. References can repeat a value, so a small
 * definition could otherwise ask for more than the heap holds. Not thread-safe.
 */
final class InputRoom {
    /** Maximum number of characters. Workers cannot mask much more than the largest secret, so no job can use as many. */
    static final int CHARS_MAX = 1 << 20;

    private long taken;

    /** Fails with {@link ErrorCode#SECRET_UNAVAILABLE} if so many characters have no room. */
    void take(int chars) {
        taken += chars;
        if (taken > CHARS_MAX) {
            throw new MillraceException(
                    ErrorCode.SECRET_UNAVAILABLE,
                    "The secrets and resources in the input of this step have more than " + CHARS_MAX
                            + " characters together: refer to fewer of them, or make them smaller.");
        }
    }
}
