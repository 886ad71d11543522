package dev.millrace.scheduler.error;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Collects the broken rules of one request, so that its author sees all of them at once. Not thread-safe. */
public final class Violations {
    /** Maximum number of violations that are reported for one request. */
    public static final int VIOLATIONS_MAX = 100;

    private final List<FieldViolation> found = new ArrayList<>();

    public void add(String field, String description) {
        if (found.size() < VIOLATIONS_MAX) {
            found.add(new FieldViolation(field, description));
        }
    }

    public void require(boolean holds, String field, String description) {
        if (!holds) {
            add(field, description);
        }
    }

    /**
     * Creates a value whose constructor rejects bad arguments. The constructor's message, {@code field: value
     * (expected: …)}, becomes the violation.
     */
    public <T> Optional<T> collect(String field, Supplier<T> value) {
        try {
            return Optional.of(value.get());
        } catch (IllegalArgumentException refused) {
            add(field, String.valueOf(refused.getMessage()));
            return Optional.empty();
        }
    }

    public boolean isEmpty() {
        return found.isEmpty();
    }

    public List<FieldViolation> all() {
        return List.copyOf(found);
    }

    /** Fails with {@link ErrorCode#INVALID_REQUEST} if any rule was broken. */
    public void throwIfAny() {
        if (!found.isEmpty()) {
            throw MillraceException.invalid(found);
        }
    }
}
