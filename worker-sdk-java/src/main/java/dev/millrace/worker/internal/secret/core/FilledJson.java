package dev.millrace.worker.internal.secret.core;

import java.io.ByteArrayOutputStream;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Puts values into raw JSON at the places of JSON pointers (RFC 6901). All other bytes stay as they are, and only what
 * leads to a place is looked at. If an object has a key twice, both values are replaced.
 */
public final class FilledJson {
    private final byte[] json;
    private final ByteArrayOutputStream out;
    private int copied;

    private FilledJson(byte[] json) {
        this.json = json;
        this.out = new ByteArrayOutputStream(2 * json.length);
    }

    /**
     * Returns the JSON with these values.
     *
     * @param values values as JSON, by their pointers
     * @throws IllegalArgumentException if a pointer leads nowhere; the message names the pointer and no value
     */
    public static byte[] fill(byte[] json, Map<String, byte[]> values) {
        Place root = new Place("");
        values.forEach((pointer, value) -> root.descend(pointer).value = value);
        FilledJson filled = new FilledJson(json);
        filled.value(JsonScanner.skipSpace(json, 0), root);
        root.requireFilled();
        filled.out.write(json, filled.copied, json.length - filled.copied);
        return filled.out.toByteArray();
    }

    /** Handles the value that begins here, and returns its end. */
    private int value(int from, Place place) {
        if (place.value != null) {
            int to = JsonScanner.skipValue(json, from);
            out.write(json, copied, from - copied);
            out.writeBytes(place.value);
            copied = to;
            place.filled = true;
            return to;
        }
        byte first = from < json.length ? json[from] : 0;
        return first == '{'
                ? object(from, place)
                : first == '[' ? array(from, place) : JsonScanner.skipValue(json, from);
    }

    private int object(int from, Place place) {
        int at = JsonScanner.skipSpace(json, from + 1);
        while (at < json.length && json[at] == '"') {
            int keyTo = JsonScanner.skipString(json, at);
            String key = JsonScanner.text(json, at, keyTo);
            int colon = JsonScanner.skipSpace(json, keyTo);
            at = next(member(JsonScanner.skipSpace(json, colon + 1), place.children.get(key)));
        }
        return Math.min(at + 1, json.length);
    }

    private int array(int from, Place place) {
        int at = JsonScanner.skipSpace(json, from + 1);
        for (int i = 0; at < json.length && json[at] != ']'; i++) {
            at = next(member(at, place.children.get(Integer.toString(i))));
        }
        return Math.min(at + 1, json.length);
    }

    private int member(int from, @Nullable Place place) {
        return place == null ? JsonScanner.skipValue(json, from) : value(from, place);
    }

    /** Returns where the next member begins, or the closing bracket. */
    private int next(int valueTo) {
        int at = JsonScanner.skipSpace(json, valueTo);
        return at < json.length && json[at] == ',' ? JsonScanner.skipSpace(json, at + 1) : at;
    }

    /** A place that a pointer leads to, or passes on its way. */
    private static final class Place {
        private final String pointer;
        private final Map<String, Place> children = new HashMap<>();
        private byte @Nullable [] value;
        private boolean filled;

        Place(String pointer) {
            this.pointer = pointer;
        }

        Place descend(String to) {
            if (to.isEmpty()) {
                return this;
            }
            if (to.charAt(0) != '/') {
                throw new IllegalArgumentException("\"" + to + "\" is not a JSON pointer");
            }
            int end = to.indexOf('/', 1);
            String step = end < 0 ? to : to.substring(0, end);
            String key = step.substring(1).replace("~1", "/").replace("~0", "~");
            Place child = children.computeIfAbsent(key, unused -> new Place(pointer + step));
            return end < 0 ? child : child.descend(to.substring(end));
        }

        void requireFilled() {
            if (value != null) {
                if (!filled) {
                    throw new IllegalArgumentException("the input has no place " + pointer);
                }
            } else {
                children.values().forEach(Place::requireFilled);
            }
        }
    }
}
