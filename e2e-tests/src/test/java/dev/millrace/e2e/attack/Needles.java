package dev.millrace.e2e.attack;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Finds parts of secrets in texts of any size, for hundreds of thousands of parts at once. */
final class Needles {
    /** Each part is at least so long. A table of its first characters leads to the parts. */
    private static final int KEY_CHARS = 8;

    private static final int KEY_BITS = 24;
    private static final int BASE = 31;
    private static final int BASE_TO_KEY = power(BASE, KEY_CHARS - 1);
    private static final int SHOWN_BESIDE = 40;

    private final BitSet keys = new BitSet(1 << KEY_BITS);
    private final Map<String, List<Part>> parts = new HashMap<>();

    private record Part(String text, SpilledSecret secret) {}

    Needles(Collection<SpilledSecret> secrets) {
        for (SpilledSecret secret : secrets) {
            secret.readable().forEach((text, length) -> {
                for (int from = 0; from + length <= text.length(); from++) {
                    add(new Part(text.substring(from, from + length), secret));
                }
            });
        }
    }

    private void add(Part part) {
        String key = part.text.substring(0, KEY_CHARS);
        keys.set(bit(key.hashCode()));
        parts.computeIfAbsent(key, _ -> new ArrayList<>()).add(part);
    }

    int size() {
        return parts.values().stream().mapToInt(List::size).sum();
    }

    /** Describes the first part of a secret in the text. */
    Optional<String> findIn(String text) {
        if (text.length() < KEY_CHARS) {
            return Optional.empty();
        }
        int hash = text.substring(0, KEY_CHARS).hashCode();
        for (int at = 0; ; at++) {
            if (keys.get(bit(hash))) {
                Optional<Part> found = at(text, at);
                if (found.isPresent()) {
                    return Optional.of(describe(text, at, found.get()));
                }
            }
            if (at + KEY_CHARS >= text.length()) {
                return Optional.empty();
            }
            // As String.hashCode, for the next characters.
            hash = (hash - text.charAt(at) * BASE_TO_KEY) * BASE + text.charAt(at + KEY_CHARS);
        }
    }

    private Optional<Part> at(String text, int at) {
        return parts.getOrDefault(text.substring(at, at + KEY_CHARS), List.of()).stream()
                .filter(part -> text.startsWith(part.text, at))
                .findFirst();
    }

    private static String describe(String text, int at, Part part) {
        int from = Math.max(0, at - SHOWN_BESIDE);
        int to = Math.min(text.length(), at + part.text.length() + SHOWN_BESIDE);
        return part.secret + " in …" + text.substring(from, to) + "…";
    }

    private static int bit(int hash) {
        return (hash ^ hash >>> KEY_BITS) & ((1 << KEY_BITS) - 1);
    }

    private static int power(int base, int exponent) {
        int power = 1;
        for (int i = 0; i < exponent; i++) {
            power *= base;
        }
        return power;
    }
}
