package dev.millrace.scheduler.flow.dialect.fastflow;

import java.util.List;
import java.util.Set;

/**
 * What is looked at before a task begins.
 *
 * @param conditions all of them must be met
 * @param act what happens then
 */
record PreCheck(List<Condition> conditions, Act act) {
    PreCheck {
        conditions = List.copyOf(conditions);
    }

    /** What a check leads to. */
    enum Act {
        /** The task is left out. */
        SKIP,
        /** The task waits for a person. */
        BLOCK
    }

    /** Where the key of a condition is looked up. */
    enum Source {
        VARS,
        SHARE_DATA
    }

    /**
     * A comparison of texts. A key that is not there meets no condition, {@code not-in} included.
     *
     * @param in whether the value must be among the values; otherwise it must not
     */
    record Condition(Source source, String key, Set<String> values, boolean in) {
        Condition {
            values = Set.copyOf(values);
        }
    }
}
