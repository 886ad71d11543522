package dev.millrace.scheduler.log;

/** Replaces by U+FFFD what a Postgres text cannot hold: NUL and unpaired surrogates. */
final class StorableText {
    private static final char REPLACEMENT = '\uFFFD';

    private StorableText() {}

    static String of(String text) {
        for (int index = 0; index < text.length(); index++) {
            if (!isStorable(text, index)) {
                return replaced(text);
            }
        }
        return text;
    }

    private static String replaced(String text) {
        StringBuilder storable = new StringBuilder(text);
        for (int index = 0; index < text.length(); index++) {
            if (!isStorable(text, index)) {
                storable.setCharAt(index, REPLACEMENT);
            }
        }
        return storable.toString();
    }

    private static boolean isStorable(String text, int index) {
        char character = text.charAt(index);
        if (Character.isHighSurrogate(character)) {
            return index + 1 < text.length() && Character.isLowSurrogate(text.charAt(index + 1));
        }
        if (Character.isLowSurrogate(character)) {
            return index > 0 && Character.isHighSurrogate(text.charAt(index - 1));
        }
        return character != '\0';
    }
}
