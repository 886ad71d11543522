package dev.millrace.worker.internal.secret.core;

import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Patterns that give a secret away: all {@linkplain Spellings spellings} of the secret itself, of each of its lines, and
 * of each text in it if it is JSON.
 */
public final class SecretPatterns {
    /** Parts of a secret that are shorter than this may well be something else, and are not masked. */
    static final int PART_BYTES_MIN = 8;

    private SecretPatterns() {}

    /**
     * Returns the patterns of these secrets.
     *
     * @param bytesMax largest number of bytes of all patterns
     * @throws TooManyPatternsException if the secrets need more
     */
    public static SortedSet<String> of(Collection<String> secrets, int bytesMax) throws TooManyPatternsException {
        SortedSet<String> parts = new TreeSet<>();
        for (String secret : secrets) {
            parts.add(secret);
            addLines(parts, secret);
            addTexts(parts, secret);
        }
        parts.remove("");
        SortedSet<String> patterns = new TreeSet<>();
        long bytes = 0;
        for (String part : parts) {
            SortedSet<String> added = new TreeSet<>();
            Spellings.addTo(added, part);
            bytes += added.stream().mapToLong(String::length).sum();
            if (bytes > bytesMax) {
                throw new TooManyPatternsException(bytesMax);
            }
            patterns.addAll(added);
        }
        return patterns;
    }

    private static void addLines(SortedSet<String> parts, String text) {
        text.lines().map(String::strip).forEach(line -> addPart(parts, line));
    }

    /** Adds the texts of a secret that is an object or array of JSON, such as the key file of a service account. */
    private static void addTexts(SortedSet<String> parts, String secret) {
        byte[] json = secret.getBytes(StandardCharsets.UTF_8);
        int at = JsonScanner.skipSpace(json, 0);
        if (at == json.length || (json[at] != '{' && json[at] != '[')) {
            return;
        }
        while (at < json.length) {
            if (json[at] == '"') {
                int to = JsonScanner.skipString(json, at);
                boolean isKey = isColon(json, JsonScanner.skipSpace(json, to));
                if (!isKey) {
                    String text = JsonScanner.text(json, at, to);
                    addPart(parts, text);
                    addLines(parts, text);
                }
                at = to;
            } else {
                at++;
            }
        }
    }

    private static boolean isColon(byte[] json, int at) {
        return at < json.length && json[at] == ':';
    }

    private static void addPart(SortedSet<String> parts, String part) {
        if (part.getBytes(StandardCharsets.UTF_8).length >= PART_BYTES_MIN) {
            parts.add(part);
        }
    }
}
