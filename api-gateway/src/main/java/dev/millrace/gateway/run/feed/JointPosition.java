package dev.millrace.gateway.run.feed;

import static java.util.Objects.requireNonNull;

/**
 * Positions in a feed of runs and in a stream of events, written as one text for readers who follow both in one stream.
 *
 * @param runs position in the feed of runs; empty for from now on
 * @param events position in the stream of events; empty for from now on
 */
public record JointPosition(String runs, String events) {

    private static final char BETWEEN = '/';

    public JointPosition {
        requireNonNull(runs, "runs");
        requireNonNull(events, "events");
    }

    /** Reads a position that a reader sends back. A text of another form is a position in the feed of runs. */
    public static JointPosition of(String text) {
        int end = text.indexOf(BETWEEN);
        return end < 0
                ? new JointPosition(text, "")
                : new JointPosition(text.substring(0, end), text.substring(end + 1));
    }

    @Override
    public String toString() {
        return runs + BETWEEN + events;
    }
}
