package dev.millrace.scheduler.expression.jsonpath;

import java.util.ArrayList;
import java.util.List;

/** Reads the way from a value to another: {@code .items[0]['a key'].name}. */
final class PathSegments {
    private static final String REMEDY =
            "Write members and indexes such as .items[0]['a key'], [*] for all, ..name for all below, or .length(); "
                    + "anything else is work for JSON_JQ_TRANSFORM.";
    private static final String LENGTH = "length()";
    /** Most digits of an index. */
    private static final int DIGITS_MAX = 9;

    private final String text;
    private final List<PathSegment> segments = new ArrayList<>();
    private int position;

    private PathSegments(String text) {
        this.text = text;
    }

    static List<PathSegment> read(String text) {
        PathSegments reading = new PathSegments(text);
        while (reading.position < text.length()) {
            reading.segment();
        }
        return List.copyOf(reading.segments);
    }

    private void segment() {
        if (text.startsWith("..", position)) {
            position += 2;
            segments.add(new PathSegment.Below(name()));
        } else if (take('.')) {
            String name = name();
            segments.add(
                    switch (name) {
                        case "*" -> new PathSegment.All();
                        case LENGTH -> new PathSegment.Length();
                        default -> new PathSegment.Key(name);
                    });
        } else if (take('[')) {
            bracket();
        } else {
            throw invalid();
        }
    }

    private void bracket() {
        if (take('*')) {
            segments.add(new PathSegment.All());
        } else if (text.startsWith("'", position) || text.startsWith("\"", position)) {
            int end = text.indexOf(text.charAt(position), position + 1);
            if (end < 0) {
                throw invalid();
            }
            segments.add(new PathSegment.Key(text.substring(position + 1, end)));
            position = end + 1;
        } else {
            segments.add(new PathSegment.Index(index()));
        }
        if (!take(']')) {
            throw invalid();
        }
    }

    private int index() {
        int start = position;
        take('-');
        while (position < text.length() && Character.isDigit(text.charAt(position))) {
            position++;
        }
        String digits = text.substring(start, position);
        if (!digits.matches("-?[0-9]{1," + DIGITS_MAX + "}")) {
            throw invalid();
        }
        return Integer.parseInt(digits);
    }

    private String name() {
        int start = position;
        while (position < text.length() && ".[ ]{}".indexOf(text.charAt(position)) < 0) {
            position++;
        }
        if (start == position) {
            throw invalid();
        }
        return text.substring(start, position);
    }

    private boolean take(char c) {
        boolean there = position < text.length() && text.charAt(position) == c;
        position += there ? 1 : 0;
        return there;
    }

    private PathInvalid invalid() {
        return new PathInvalid("\"" + text + "\" is not a path that is understood here.", REMEDY);
    }
}
