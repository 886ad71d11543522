package dev.millrace.scheduler.flow.core.machine;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.flow.core.machine.ReferenceResult.Failing;
import dev.millrace.scheduler.flow.core.machine.ReferenceResult.Pending;
import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.Outcome;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The memory of the reference interpreter: what has happened in a run, and what begins in the current walk. */
final class ReferenceMemory {
    static final JobError TIMED_OUT = JobError.permanent("TimedOut", "The step took longer than its time limit of 1m.");
    static final String LIMIT = "#limit";

    private static final JobError OWN = JobError.permanent("?", "found by the engine");

    final Map<String, Outcome> outcomes = new HashMap<>();
    final TreeSet<String> live = new TreeSet<>();
    /** Containers whose time limit has started. */
    final Set<String> limited = new HashSet<>();
    /** Containers whose time limit had started before the current event. */
    final Set<String> limitedBefore = new HashSet<>();

    final ReferenceEarly early = new ReferenceEarly();
    /** Lists and containers in which nothing begins anymore. */
    final Set<String> ending = new HashSet<>();
    /** Keys of what began without a worker before something around it ended. */
    final Set<String> begun = new HashSet<>();

    /** Keys of all steps that have ended their list early. */
    final Set<String> stopped = new HashSet<>();

    /** Parallel steps that begin no further branch because a step has ended their branches. */
    final Set<String> broken = new HashSet<>();

    final Map<String, Integer> resets = new HashMap<>();
    /** For hooked steps: the error of the previous attempt. */
    final Map<String, JsonValue> attempted = new HashMap<>();

    /** The jobs and waits that begin in this walk, with their inputs. */
    final Map<String, String> beginning = new LinkedHashMap<>();
    /** Whether this walk must be repeated. */
    boolean again;
    /** Whether a step did not begin in this walk because something around it had ended early. */
    boolean passedOver;

    boolean ambiguous;

    /** Cancels what is inside a container; nothing begins there anymore. */
    void timeOut(String container) {
        ending.add("C" + container);
        live.remove(container);
        live.remove(container + "#delay");
        for (String inner : List.copyOf(live)) {
            if (isInside(inner, container)) {
                live.remove(inner);
                outcomes.put(inner, new Outcome.Canceled(TIMED_OUT));
            }
        }
    }

    /**
     * Returns whether a step ended its list in a transition in which the engine also did other work, in an order of its
     * own.
     */
    boolean isAmongOthers(String key, Set<String> before) {
        return !outcomes.containsKey(key)
                && (passedOver
                        || begun.stream()
                                .filter(other -> !before.contains(other))
                                .anyMatch(other -> {
                                    int mark = other.indexOf('#', 1);
                                    String step = mark < 0 ? other : other.substring(0, mark);
                                    return !step.startsWith(key) && !key.startsWith(step);
                                }));
    }

    /** Ends a list or container early; the result is pending until nothing inside is live. */
    ReferenceResult end(String frame, String prefix, ReferenceResult result) {
        ending.add(frame + prefix);
        beginning.keySet().removeIf(key -> isInside(key, prefix));
        return live.stream().anyMatch(key -> isInside(key, prefix)) ? new Pending() : result;
    }

    static boolean isInside(String key, String prefix) {
        return prefix.isEmpty() ? !key.startsWith("#") : key.startsWith(prefix + ".") || key.startsWith(prefix + "[");
    }

    /** Returns the result of the wait before the next attempt; empty if there is none, or it has ended. */
    Optional<ReferenceResult> delay(String key) {
        if (live.contains(key + "#delay")) {
            return Optional.of(new Pending());
        }
        return switch (outcomes.get(key + "#delay")) {
            case Outcome.Failed failed -> Optional.of(new Failing(key, failed.error(), false, true));
            case Outcome.Canceled canceled -> Optional.of(new Failing(key, canceled.reason(), true, true));
            case Outcome.Succeeded _, Outcome.Skipped _ -> Optional.empty();
            case null -> Optional.empty();
        };
    }

    void forget(String key) {
        outcomes.keySet().removeIf(inner -> isInside(inner, key));
        begun.removeIf(inner -> isInside(inner, key));
        begun.remove(key + "#done");
        ending.removeIf(
                frame -> frame.equals("C" + key) || frame.equals("L" + key) || isInside(frame.substring(1), key));
        resets.keySet().removeIf(inner -> isInside(inner, key));
        limited.removeIf(inner -> isInside(inner, key));
        limitedBefore.removeIf(inner -> isInside(inner, key));
        early.forget(inner -> isInside(inner, key));
    }

    boolean isBegun(String prefix) {
        return live.contains(prefix)
                || outcomes.containsKey(prefix)
                || live.stream().anyMatch(key -> isInside(key, prefix))
                || outcomes.keySet().stream().anyMatch(key -> isInside(key, prefix));
    }

    /**
     * Creates a failure that the engine itself detects. The order of several such failures, and their messages, are up
     * to the engine.
     */
    Failing own(String key) {
        ambiguous = true;
        return new Failing(key, OWN, false, true);
    }
}
