package dev.millrace.scheduler.flow.dialect.openflow;

import dev.millrace.scheduler.flow.dialect.Fields;
import java.util.List;

/**
 * Reader of {@code delete_after_use} and of {@code delete_after_secs: 0}, which today's Windmill writes in its place.
 */
final class Erasures {
    static final String AFTER_USE = "delete_after_use";
    static final String AFTER_SECONDS = "delete_after_secs";
    /** Keys of a module or a flow. */
    static final List<String> KEYS = List.of(AFTER_USE, AFTER_SECONDS);

    private final Reading reading;
    private final Fields module;

    /**
     * Creates a reader.
     *
     * @param module with the keys, or the flow
     */
    Erasures(Reading reading, Fields module) {
        this.reading = reading;
        this.module = module;
    }

    /** Whether input, result and logs of a module that runs a script are erased when the run ends. */
    boolean ofTask() {
        module.ignore(
                List.of(AFTER_SECONDS),
                "has no effect here unless it is 0: input, result and logs stay.",
                "Write 0 to erase them when the run ends, or remove it.");
        return isAsked(AFTER_USE) || isAsked(AFTER_SECONDS);
    }

    /** Reports the keys of a module that runs no script, of which nothing is erased. */
    void refuse() {
        for (String key : KEYS) {
            if (isAsked(key)) {
                reading.problem(
                        module.find(key).orElseThrow().mark(),
                        module.path(key),
                        "\"" + key + "\" applies only to modules that run a script.",
                        "Give it to the modules inside.");
            }
        }
        module.ignore(
                List.of(AFTER_SECONDS),
                "has no effect here: results of a module that runs no script stay.",
                "Remove it, or leave it for Windmill.");
    }

    /** Warns that nothing is erased of a whole flow. */
    void warnOfFlow() {
        for (String key : KEYS) {
            if (key.equals(AFTER_USE) ? isAsked(key) : module.has(key)) {
                reading.warn(
                        module.find(key).orElseThrow().mark(),
                        module.path(key),
                        "\"" + key + "\" of a whole flow has no effect here: its inputs and results stay.",
                        "Give " + AFTER_USE + " to the modules with secret values.");
            }
        }
    }

    private boolean isAsked(String key) {
        return key.equals(AFTER_USE)
                ? module.bool(AFTER_USE).orElse(false)
                : module.whole(AFTER_SECONDS, 0, Integer.MAX_VALUE)
                        .filter(seconds -> seconds == 0)
                        .isPresent();
    }
}
