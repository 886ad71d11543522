package dev.millrace.scheduler.expression.javascript;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Part of a value that a script reads, as far as its text shows. Mutable only while the text is scanned. */
final class Usage {
    private static final Usage WHOLE = new Usage();

    static {
        WHOLE.readWhole();
    }

    private boolean whole;
    private boolean needed;
    private final Map<String, Usage> members = new LinkedHashMap<>();

    /** Records that everything may be read. */
    void readWhole() {
        whole = true;
    }

    /** Records a read that fails if the value is missing. */
    void need() {
        needed = true;
    }

    /** Whether all reads have a question mark. */
    boolean isOptional() {
        return !needed && !whole;
    }

    /** Records the read of a member. */
    Usage readMember(String key) {
        return members.computeIfAbsent(key, _ -> new Usage());
    }

    /** Whether everything may be read, not only the named members. */
    boolean isWhole() {
        return whole;
    }

    /** Returns the part of a member that is read; null if the member is not read. */
    @Nullable Usage of(String key) {
        return whole ? WHOLE : members.get(key);
    }

    /** The named members. */
    Map<String, Usage> members() {
        return members;
    }
}
