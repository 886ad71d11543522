package dev.millrace.gateway.blob;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The part of a blob that a reader wants, after RFC 9110.
 *
 * @param offset first byte
 * @param length number of bytes; 0 if the blob has none of the bytes that the reader wants
 */
record ByteRange(long offset, long length) {

    private static final Pattern SINGLE = Pattern.compile("(?i)bytes=\\s*(\\d{0,18})-(\\d{0,18})\\s*");

    /**
     * Reads the header {@code Range}. Empty if there is none, or one to ignore: several ranges, other units, or a range
     * that ends before it begins.
     *
     * @param bytes number of bytes of the blob
     */
    static Optional<ByteRange> of(String header, long bytes) {
        var parts = SINGLE.matcher(header);
        if (!parts.matches() || (parts.group(1).isEmpty() && parts.group(2).isEmpty())) {
            return Optional.empty();
        }
        if (parts.group(1).isEmpty()) {
            long length = Math.min(Long.parseLong(parts.group(2)), bytes);
            return Optional.of(new ByteRange(bytes - length, length));
        }
        long first = Long.parseLong(parts.group(1));
        long last = parts.group(2).isEmpty() ? Long.MAX_VALUE : Long.parseLong(parts.group(2));
        if (last < first) {
            return Optional.empty();
        }
        return Optional.of(new ByteRange(first, Math.max(0, Math.min(last, bytes - 1) - first + 1)));
    }

    boolean isSatisfiable() {
        return length > 0;
    }

    /** The value of {@code Content-Range}. */
    String text(long bytes) {
        return "bytes " + offset + "-" + (offset + length - 1) + "/" + bytes;
    }
}
