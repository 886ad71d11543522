package dev.millrace.scheduler.log;

import dev.millrace.scheduler.rpc.PageRequest;

/**
 * Where a search of a log goes on.
 *
 * @param position the last chunk that was searched
 * @param line the last line of it that was found, if the page ended within the chunk; otherwise {@link #WHOLE}
 */
record SearchPlace(long position, int line) {
    static final int WHOLE = -1;
    private static final String SEPARATOR = ":";

    static SearchPlace parse(String text) {
        String[] parts = text.split(SEPARATOR, -1);
        try {
            if (parts.length == 2) {
                return new SearchPlace(Long.parseLong(parts[0]), Integer.parseInt(parts[1]));
            }
        } catch (NumberFormatException foreign) {
            // The token belongs to another list.
        }
        throw PageRequest.badToken();
    }

    String text() {
        return position + SEPARATOR + line;
    }

    /** The part of a range that is left to search. */
    LogRange left(LogRange range) {
        return line == WHOLE ? range.beyond(position) : range.from(position);
    }

    /** Whether a match comes after this place. */
    boolean isBefore(LineSearch.Match match, boolean isNewestFirst) {
        return line == WHOLE
                || match.chunk().position() != position
                || (isNewestFirst ? match.line() < line : match.line() > line);
    }
}
