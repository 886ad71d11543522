package dev.millrace.scheduler.expression;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Splitter of one level of a JSON object or array into slices for its children, without recursion or decoding. It
 * assumes valid JSON, but fails if the structure is broken.
 */
final class JsonSlices {
    private JsonSlices() {}

    static Map<String, JsonValue> members(String text, int start, int end) {
        expect(text, start, end, '{');
        Map<String, JsonValue> members = new LinkedHashMap<>();
        int position = skipSpace(text, start + 1);
        while (!at(text, position, end, '}')) {
            expect(text, position, end, '"');
            int keyEnd = skipString(text, position, end);
            int colon = skipSpace(text, keyEnd);
            expect(text, colon, end, ':');
            int valueStart = skipSpace(text, colon + 1);
            int valueEnd = skipValue(text, valueStart, end);
            members.put(JsonStrings.unquote(text, position, keyEnd), new JsonValue(text, valueStart, valueEnd));
            position = afterChild(text, valueEnd, end, '}');
        }
        return Collections.unmodifiableMap(members);
    }

    static List<JsonValue> elements(String text, int start, int end) {
        expect(text, start, end, '[');
        List<JsonValue> elements = new ArrayList<>();
        int position = skipSpace(text, start + 1);
        while (!at(text, position, end, ']')) {
            int valueEnd = skipValue(text, position, end);
            elements.add(new JsonValue(text, position, valueEnd));
            position = afterChild(text, valueEnd, end, ']');
        }
        return Collections.unmodifiableList(elements);
    }

    /** Returns the start of the next child, or the index of the closing bracket. */
    private static int afterChild(String text, int childEnd, int end, char close) {
        int position = skipSpace(text, childEnd);
        if (at(text, position, end, close)) {
            return position;
        }
        expect(text, position, end, ',');
        return skipSpace(text, position + 1);
    }

    private static int skipValue(String text, int start, int end) {
        int position = start;
        int depth = 0;
        do {
            if (position >= end) {
                throw broken(position);
            }
            char c = text.charAt(position);
            if (c == '"') {
                position = skipString(text, position, end);
            } else if (c == '{' || c == '[') {
                depth++;
                position++;
            } else if (c == '}' || c == ']') {
                depth--;
                position++;
            } else if (depth == 0) {
                return skipLiteral(text, position, end);
            } else {
                position++;
            }
        } while (depth > 0);
        return position;
    }

    private static int skipLiteral(String text, int start, int end) {
        int position = start;
        while (position < end && isLiteral(text.charAt(position))) {
            position++;
        }
        if (position == start) {
            throw broken(position);
        }
        return position;
    }

    private static boolean isLiteral(char c) {
        return c > ' ' && c != ',' && c != ']' && c != '}' && c != ':';
    }

    private static int skipString(String text, int start, int end) {
        for (int position = start + 1; position < end; position++) {
            char c = text.charAt(position);
            if (c == '"') {
                return position + 1;
            }
            if (c == '\\') {
                position++;
            }
        }
        throw broken(end);
    }

    static int skipSpace(String text, int start) {
        int position = start;
        while (position < text.length() && text.charAt(position) <= ' ') {
            position++;
        }
        return position;
    }

    static int endWithoutSpace(String text) {
        int end = text.length();
        while (end > 0 && text.charAt(end - 1) <= ' ') {
            end--;
        }
        return end;
    }

    private static boolean at(String text, int position, int end, char expected) {
        return position < end && text.charAt(position) == expected;
    }

    private static void expect(String text, int position, int end, char expected) {
        if (!at(text, position, end, expected)) {
            throw broken(position);
        }
    }

    private static EvaluationFailed broken(int position) {
        return new EvaluationFailed("A value is not JSON: it breaks off at character " + position + ".");
    }
}
