package dev.millrace.scheduler.expression.javascript;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How much of a value a script reads, as far as its text shows. Changes only while the text is scanned. */
final class Usage {
    private static final Usage WHOLE = new Usage();

    static {
        WHOLE.readWhole();
    }

    private boolean whole;
    private boolean needed;
    private final Map<String, Usage> members = new LinkedHashMap<>();

    /** Notes that everything may be read. */
    void readWhole() {
        whole = true;
    }

    /** Notes that it is read in a way that fails where there is nothing. */
    void need() {
        needed = true;
    }

    /** Whether members are asked for with a question mark only. */
    boolean isOptional() {
        return !needed && !whole;
    }

    /** Notes that a member is read. */
    Usage readMember(String key) {
        return members.computeIfAbsent(key, _ -> new Usage());
    }

    /** Whether everything may be read, not only the members that are named. */
    boolean isWhole() {
        return whole;
    }

    /** What is read of a member; null where nothing is. */
    @Nullable Usage of(String key) {
        return whole ? WHOLE : members.get(key);
    }

    /** The members that are named. */
    Map<String, Usage> members() {
        return members;
    }
}
