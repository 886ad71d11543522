package dev.millrace.scheduler.log;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Finds lines that contain a text. A line ends with its chunk, as the text around it may belong to other jobs.
 *
 * @param text in lower case unless the case matters
 */
record LineSearch(String text, boolean matchesCase) {
    /** Longest part of a line that is shown. */
    static final int EXCERPT_MAX = 1_000;

    static final char ESCAPE = '\u001b';

    /** Part of a long line that is shown before the text. */
    private static final int BEFORE_MAX = 200;

    private static final Pattern SEQUENCE =
            Pattern.compile("\u001b(?:\\[[0-9;:?]*[ -/]*[@-~]|\\][^\u0007\u001b]*(?:\u0007|\u001b\\\\)?|[@-Z\\\\-_])");

    /** A line with the text. */
    record Match(LogChunk chunk, int line, String excerpt) {}

    static LineSearch of(String text, boolean matchesCase) {
        return new LineSearch(matchesCase ? text : lowerCase(text), matchesCase);
    }

    /** The lines of a chunk with the text, from the first to the last or the other way round. */
    List<Match> in(LogChunk chunk, boolean isLastFirst) {
        List<Match> matches = new ArrayList<>();
        String whole = chunk.entry().text();
        int line = 0;
        for (int start = 0; start < whole.length(); line++) {
            int newline = whole.indexOf('\n', start);
            int end = newline < 0 ? whole.length() : newline;
            String plain = plain(whole.substring(start, end));
            int place = (matchesCase ? plain : lowerCase(plain)).indexOf(text);
            if (place >= 0) {
                matches.add(new Match(chunk, line, excerpt(plain, place)));
            }
            start = end + 1;
        }
        if (isLastFirst) {
            Collections.reverse(matches);
        }
        return matches;
    }

    private static String plain(String line) {
        String bare = line.endsWith("\r") ? line.substring(0, line.length() - 1) : line;
        return bare.indexOf(ESCAPE) < 0 ? bare : SEQUENCE.matcher(bare).replaceAll("");
    }

    private static String excerpt(String line, int place) {
        int start = line.length() <= EXCERPT_MAX ? 0 : Math.max(0, place - BEFORE_MAX);
        int end = Math.min(line.length(), start + EXCERPT_MAX);
        // A pair of surrogates stays together.
        int from = start > 0 && Character.isLowSurrogate(line.charAt(start)) ? start - 1 : start;
        int to = end < line.length() && Character.isLowSurrogate(line.charAt(end)) ? end - 1 : end;
        return line.substring(from, to);
    }

    /** As the database does it: letters of ASCII only, so that the length stays. */
    private static String lowerCase(String text) {
        StringBuilder lower = new StringBuilder(text);
        for (int index = 0; index < text.length(); index++) {
            char character = text.charAt(index);
            if (character >= 'A' && character <= 'Z') {
                lower.setCharAt(index, (char) (character + ('a' - 'A')));
            }
        }
        return lower.toString();
    }
}
