package dev.millrace.scheduler.blob;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.error.MillraceException;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * What a caller says of a blob before it sends the bytes.
 *
 * @param bytes number of bytes; absent if the caller does not know
 * @param sha256 of the bytes, in lower-case hexadecimal digits; empty if the caller does not know
 */
record Announcement(String mediaType, OptionalLong bytes, String sha256) {
    /** Maximum number of characters of a media type. */
    static final int MEDIA_TYPE_CHARS_MAX = 255;

    private static final Pattern SHA_256 = Pattern.compile("([0-9a-fA-F]{64})?");

    Announcement {
        requireMediaType(mediaType);
        if (requireNonNull(bytes, "bytes").orElse(0) < 0) {
            throw MillraceException.invalid("bytes", bytes.getAsLong() + " (expected: 0 or more)");
        }
        if (!SHA_256.matcher(sha256).matches()) {
            throw MillraceException.invalid("sha256", "\"" + sha256 + "\" (expected: 64 hexadecimal digits)");
        }
        sha256 = sha256.toLowerCase(Locale.ROOT);
    }

    /** That of a caller who knows no more than the media type. */
    static Announcement of(String mediaType) {
        return new Announcement(mediaType, OptionalLong.empty(), "");
    }

    private static void requireMediaType(String mediaType) {
        boolean isPrintable = mediaType.chars().allMatch(c -> c >= ' ' && c <= '~');
        if (mediaType.isEmpty() || mediaType.length() > MEDIA_TYPE_CHARS_MAX || !isPrintable) {
            throw MillraceException.invalid(
                    "media_type",
                    "\"" + mediaType + "\" (expected: 1 to " + MEDIA_TYPE_CHARS_MAX
                            + " printable ASCII characters, such as image/png)");
        }
    }

    /** Fails unless the bytes that came are those that were announced. */
    void requireKept(long cameBytes, String cameSha256) {
        if (bytes.isPresent() && bytes.getAsLong() != cameBytes) {
            throw MillraceException.invalid(
                    "bytes",
                    bytes.getAsLong() + " were announced and " + cameBytes + " came (expected: as many as announced)");
        }
        if (!sha256.isEmpty() && !sha256.equals(cameSha256)) {
            throw MillraceException.invalid(
                    "sha256", sha256 + " was announced, but the bytes have " + cameSha256 + ": send them again");
        }
    }
}
