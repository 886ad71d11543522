package dev.millrace.scheduler.rpc;

/** Cuts texts so that they fit into the trailers of a call. */
final class Trailers {
    private static final String CUT = "…";
    /** Bytes that a character outside of ASCII, and the sign {@link #CUT}, takes once each of its bytes is percent-encoded. */
    private static final int ENCODED_BYTES_MAX = 12;

    private Trailers() {}

    /** The text, cut where its percent-encoded form would be longer than this. */
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

    /** The text, cut where it has more characters than this. */
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

    /** As gRPC encodes a status message: printable ASCII but the percent sign stays, each other byte of UTF-8 takes three. */
    private static int encodedBytes(int codePoint) {
        if (codePoint >= ' ' && codePoint < 0x7f && codePoint != '%') {
            return 1;
        }
        return codePoint < 0x80 ? 3 : codePoint < 0x800 ? 6 : codePoint < 0x10000 ? 9 : ENCODED_BYTES_MAX;
    }
}
