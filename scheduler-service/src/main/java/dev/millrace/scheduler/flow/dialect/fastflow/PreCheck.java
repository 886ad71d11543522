package dev.millrace.scheduler.flow.dialect.fastflow;

import java.util.List;
import java.util.Set;

/**
 * A check before a task begins.
 *
 * @param conditions all of which must be met
 * @param act what happens if they are met
 */
record PreCheck(List<Condition> conditions, Act act) {
    PreCheck {
        conditions = List.copyOf(conditions);
    }

    /** Effect of a check. */
    enum Act {
        /** Skips the task. */
        SKIP,
        /** Makes the task wait for an approval. */
        BLOCK
    }

    /** Source of the value that a condition tests. */
    enum Source {
        VARS,
        SHARE_DATA
    }

    /**
     * A comparison of texts. A missing key meets no condition, not even {@code not-in}.
     *
     * @param in whether the value must be one of the values; false if it must not be
     */
    record Condition(Source source, String key, Set<String> values, boolean in) {
        Condition {
            values = Set.copyOf(values);
        }
    }
}
