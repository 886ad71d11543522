package dev.millrace.scheduler.queue;

import static java.util.Objects.requireNonNull;

import java.util.HexFormat;

/**
 * The caller's name for a submission.
 *
 * @param value chosen by the caller, 1 to {@link #LENGTH_MAX} characters
 * @param fingerprint SHA-256 of the submission's content, in hex, to tell a repetition from another submission
 */
public record RequestId(String value, String fingerprint) {
    /** Most characters of a request id. */
    public static final int LENGTH_MAX = 128;

    public RequestId {
        requireNonNull(fingerprint, "fingerprint");
        if (value.isEmpty() || value.length() > LENGTH_MAX) {
            throw new IllegalArgumentException(
                    "request_id: " + value.length() + " characters (expected: 1 to " + LENGTH_MAX + ")");
        }
    }

    /** The fingerprint as bytes. */
    public byte[] fingerprintBytes() {
        return HexFormat.of().parseHex(fingerprint);
    }
}
