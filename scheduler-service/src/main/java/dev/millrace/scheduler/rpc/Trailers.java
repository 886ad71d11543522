package dev.millrace.scheduler.rpc;

/** Cuts texts so that they fit into the trailers of a call. */
final class Trailers {
    private static final String CUT = "…";
    /** Maximum number of bytes of one percent-encoded character, and an upper bound for those of {@link #CUT}. */
    private static final int ENCODED_BYTES_MAX = 12;

    private Trailers() {}

    /** The text, cut if its percent-encoded form is longer than {@code bytesMax}. */
    static String shortened(String text, int bytesMax) {
        int bytes = 0;
        for (int i = 0; i < text.length(); ) {
            int next = text.codePointAt(i);
            bytes += encodedBytes(next);
            if (bytes > bytesMax - ENCODED_BYTES_MAX) {
                return fits(text, i, bytesMax - bytes + encodedBytes(next)) ? text : text.substring(0, i) + CUT;
            }
            i += Character.charCount(next);
        }
        return text;
    }

    /** The text, cut if it has more than {@code lengthMax} characters. */
    static String cut(String text, int lengthMax) {
        if (text.length() <= lengthMax) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(lengthMax - 1)) ? lengthMax - 1 : lengthMax;
        return text.substring(0, end) + CUT;
    }

    private static boolean fits(String text, int from, int bytesLeft) {
        int bytes = 0;
        for (int i = from; i < text.length() && bytes <= bytesLeft; i++) {
            bytes += encodedBytes(text.charAt(i));
        }
        return bytes <= bytesLeft;
    }

    /**
     * Bytes of a character in a status message as gRPC encodes it. Printable ASCII except the percent sign takes one
     * byte; each byte of any other character's UTF-8 takes three.
     */
    private static int encodedBytes(int codePoint) {
        if (codePoint >= ' ' && codePoint < 0x7f && codePoint != '%') {
            return 1;
        }
        return codePoint < 0x80 ? 3 : codePoint < 0x800 ? 6 : codePoint < 0x10000 ? 9 : ENCODED_BYTES_MAX;
    }
}
