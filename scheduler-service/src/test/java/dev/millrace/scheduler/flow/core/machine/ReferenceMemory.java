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

/** What has happened in a run so far, and what begins now: all that the reference keeps from one event to the next. */
final class ReferenceMemory {
    static final JobError TIMED_OUT = JobError.permanent("TimedOut", "The step took longer than its time limit of 1m.");
    static final String LIMIT = "#limit";

    private static final JobError OWN = JobError.permanent("?", "found by the engine");

    final Map<String, Outcome> outcomes = new HashMap<>();
    final TreeSet<String> live = new TreeSet<>();
    /** Containers whose time has begun to run. */
    final Set<String> limited = new HashSet<>();
    /** Those of which that was so before this event. */
    final Set<String> limitedBefore = new HashSet<>();

    final ReferenceEarly early = new ReferenceEarly();
    /** Lists and containers in which nothing begins any more. */
    final Set<String> ending = new HashSet<>();
    /** What needs no worker and began before something around it came to its end. */
    final Set<String> begun = new HashSet<>();

    /** What ended its list early, ever. */
    final Set<String> stopped = new HashSet<>();

    /** Parallel steps whose branches were told to end. */
    final Set<String> broken = new HashSet<>();

    final Map<String, Integer> resets = new HashMap<>();
    /** What the attempt before failed with, of steps with hooks. */
    final Map<String, JsonValue> attempted = new HashMap<>();

    /** The jobs and waits that begin in this walk, with their inputs. */
    final Map<String, String> beginning = new LinkedHashMap<>();
    /** This walk is to be done once more. */
    boolean again;
    /** Something could have begun in this walk, but for what came to its end early. */
    boolean passedOver;

    boolean ambiguous;

    /** What is inside is canceled, and nothing begins there any more. */
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

    /** Whether a step ended its list in the same transition in which the engine worked on others, in an order of its own. */
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

    /** Something comes to its end once nothing inside it is live. */
    ReferenceResult end(String frame, String prefix, ReferenceResult result) {
        ending.add(frame + prefix);
        beginning.keySet().removeIf(key -> isInside(key, prefix));
        return live.stream().anyMatch(key -> isInside(key, prefix)) ? new Pending() : result;
    }

    static boolean isInside(String key, String prefix) {
        return prefix.isEmpty() ? !key.startsWith("#") : key.startsWith(prefix + ".") || key.startsWith(prefix + "[");
    }

    /** What the wait before a further attempt comes to; empty where there is none, or it is over. */
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

    /** A failure that the engine itself finds; in what order it finds several, and in what words, is its own business. */
    Failing own(String key) {
        ambiguous = true;
        return new Failing(key, OWN, false, true);
    }
}
