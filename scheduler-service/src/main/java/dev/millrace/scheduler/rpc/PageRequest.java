package dev.millrace.scheduler.rpc;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.error.Violations;
import java.util.Base64;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntFunction;

/**
 * The page of a list that a caller requests.
 *
 * @param size maximum number of entries of the page
 * @param after key of the entry before the page; empty for the first page
 */
public record PageRequest(int size, String after) {
    private static final int SIZE_MAX = 1_000;
    private static final int SIZE_DEFAULT = 100;
    private static final int TOKEN_LENGTH_MAX = 2_000;

    /**
     * A page of a list.
     *
     * @param nextToken token of the next page; empty at the end of the list
     */
    public record Page<T>(List<T> items, String nextToken) {
        public Page {
            items = List.copyOf(items);
        }

        public <R> Page<R> map(Function<T, R> mapping) {
            return new Page<>(items.stream().map(mapping).toList(), nextToken);
        }
    }

    /** Validates and reads the fields {@code page_size} and {@code page_token}. */
    public static PageRequest of(int pageSize, String pageToken) {
        Violations violations = new Violations();
        violations.require(
                pageSize >= 0 && pageSize <= SIZE_MAX,
                "page_size",
                pageSize + " (expected: 0 for " + SIZE_DEFAULT + ", or 1 to " + SIZE_MAX + ")");
        String after = violations.collect("page_token", () -> decode(pageToken)).orElse("");
        violations.throwIfAny();
        return new PageRequest(pageSize == 0 ? SIZE_DEFAULT : pageSize, after);
    }

    /**
     * Builds the page from the entries that {@code read} returns. It is asked for one entry more than fits, which shows
     * whether there is a next page.
     */
    public <T> Page<T> of(IntFunction<List<T>> read, Function<T, String> key) {
        List<T> items = read.apply(size + 1);
        if (items.size() <= size) {
            return new Page<>(items, "");
        }
        return new Page<>(items.subList(0, size), token(key.apply(items.get(size - 1))));
    }

    /** Numeric key of the entry before the page, or {@code otherwise} for the first page. */
    public long afterNumber(long otherwise) {
        try {
            return after.isEmpty() ? otherwise : Long.parseLong(after);
        } catch (NumberFormatException foreign) {
            throw badToken();
        }
    }

    /** The error for a token that no list of this kind has produced. */
    public static MillraceException badToken() {
        return MillraceException.invalid("page_token", "is not a token of this list: take it from the previous answer");
    }

    /** Token of the page after the entry with this key. */
    public static String token(String key) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(key.getBytes(UTF_8));
    }

    private static String decode(String token) {
        if (token.length() > TOKEN_LENGTH_MAX) {
            throw new IllegalArgumentException("is not a token of this list: take it from the previous answer");
        }
        return new String(Base64.getUrlDecoder().decode(token), UTF_8);
    }
}
