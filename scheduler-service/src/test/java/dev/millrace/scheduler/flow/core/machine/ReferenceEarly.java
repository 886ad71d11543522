package dev.millrace.scheduler.flow.core.machine;

import dev.millrace.scheduler.expression.LoopSoFar;
import dev.millrace.scheduler.flow.core.definition.Step;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** Steps that begin before everything they need has ended, in the reference interpreter. */
final class ReferenceEarly {
    private final Set<String> begun = new HashSet<>();
    /** For each step: the needed steps and iterations that had ended when its condition was last evaluated. */
    private final Map<String, Set<String>> lookedAt = new HashMap<>();
    /** Steps of the current walk that may begin early. */
    private final Map<String, Candidate> candidates = new LinkedHashMap<>();

    private record Candidate(Step step, ReferenceEnv env) {}

    /** Prepares for another walk. */
    void clear() {
        candidates.clear();
    }

    /** Returns whether the step has begun early. */
    boolean hasBegun(Step step, String key, ReferenceEnv env) {
        if (step.policy().beginIf().isPresent()) {
            candidates.put(key, new Candidate(step, env));
        }
        return begun.contains(key);
    }

    /**
     * Begins steps early, when nothing else happens. Evaluates the condition of each step of which another needed step,
     * or another iteration of a needed loop, has ended. Returns whether a step begins.
     */
    boolean begin() {
        Set<String> begin = new HashSet<>();
        candidates.forEach((key, candidate) -> {
            List<String> needs = candidate.step().needs();
            Set<String> ended = new HashSet<>(needs);
            ended.retainAll(candidate.env().results.keySet());
            for (String need : needs) {
                LoopSoFar loop = candidate.env().loops.get(need);
                if (loop != null) {
                    loop.ended().keySet().forEach(iteration -> ended.add(need + "[" + iteration + "]"));
                }
            }
            Set<String> before = lookedAt.put(key, ended);
            boolean hasMore = before == null ? !ended.isEmpty() : !before.containsAll(ended);
            if (hasMore
                    && !ended.containsAll(needs)
                    && !begun.contains(key)
                    && !candidate.env().isBlocked()
                    && candidate
                            .env()
                            .isTrue(candidate.step().policy().beginIf().orElseThrow())) {
                begin.add(key);
            }
        });
        return begun.addAll(begin);
    }

    /** Forgets steps inside something that begins again. */
    void forget(Predicate<String> isInside) {
        begun.removeIf(isInside);
        lookedAt.keySet().removeIf(isInside);
    }
}
