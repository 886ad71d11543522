package dev.millrace.scheduler.blob;

import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;

/**
 * The part of a blob that a request reads.
 *
 * @param offset first byte
 * @param length number of bytes
 */
record BlobRange(long offset, long length) {
    /**
     * The part of a blob with so many bytes.
     *
     * @param offset first byte; a negative number counts from the end, but not beyond the beginning
     * @param lengthMax maximum number of bytes; 0 means all
     */
    static BlobRange of(long bytes, long offset, long lengthMax) {
        if (lengthMax < 0) {
            throw MillraceException.invalid("length", lengthMax + " (expected: 0 or more)");
        }
        long first = offset < 0 ? Math.max(0, bytes + offset) : offset;
        if (first > bytes || (first == bytes && offset > 0)) {
            throw new MillraceException(
                    ErrorCode.BLOB_TOO_SHORT,
                    "The blob has " + bytes + " bytes, so there is nothing to read from byte " + offset + " on.");
        }
        long rest = bytes - first;
        return new BlobRange(first, lengthMax == 0 ? rest : Math.min(rest, lengthMax));
    }
}
