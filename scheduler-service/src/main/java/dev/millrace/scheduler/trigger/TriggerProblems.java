package dev.millrace.scheduler.trigger;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.expression.ReferenceKind;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/** Tells which triggers cannot work, because secrets or resources that they need do not exist. */
public final class TriggerProblems {
    private final TriggerReferenceStore references;

    public TriggerProblems(Database database) {
        this.references = new TriggerReferenceStore(database);
    }

    /** What keeps each of these triggers from working, as sentences; triggers that can work are absent. */
    public Map<TriggerId, String> of(Collection<TriggerId> triggers) {
        Map<TriggerId, String> problems = new HashMap<>();
        references
                .missing(triggers)
                .forEach(missing -> problems.merge(
                        missing.trigger(), missing(missing.kind(), missing.path()), (one, other) -> one + " " + other));
        return problems;
    }

    static String missing(ReferenceKind kind, String path) {
        return switch (kind) {
            case SECRET -> "The secret " + path + " does not exist: set it with `millrace secrets set " + path + "`.";
            case RESOURCE ->
                "The resource " + path + " does not exist: set it with `millrace resources set " + path + " FILE`.";
        };
    }
}
