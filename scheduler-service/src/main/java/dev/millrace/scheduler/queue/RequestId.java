package dev.millrace.scheduler.queue;

import static java.util.Objects.requireNonNull;

import java.util.HexFormat;

/**
 * The idempotency key of a submission, which counts in the folder of its first run.
 *
 * @param value chosen by the caller, 1 to {@link #LENGTH_MAX} characters
 * @param fingerprint SHA-256 of the submission's content, in hex, which distinguishes a repetition from a different
 *     submission
 */
public record RequestId(String value, String fingerprint) {
    /** Folder of request ids that were recorded before folders counted: they are taken in every folder. */
    public static final String ANY_FOLDER = "/";
    /** Maximum length of a request id, in characters. */
    public static final int LENGTH_MAX = 128;

    public RequestId {
        requireNonNull(fingerprint, "fingerprint");
        if (value.isEmpty() || value.length() > LENGTH_MAX) {
            throw new IllegalArgumentException(
                    "request_id: " + value.length() + " characters (expected: 1 to " + LENGTH_MAX + ")");
        }
    }

    public byte[] fingerprintBytes() {
        return HexFormat.of().parseHex(fingerprint);
    }
}
