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

/** Which steps begin before all that they need has ended, as the reference has them. */
final class ReferenceEarly {
    private final Set<String> begun = new HashSet<>();
    /** What had ended of all that such a step needs when its condition was last looked at. */
    private final Map<String, Set<String>> lookedAt = new HashMap<>();
    /** Steps of this walk that may. */
    private final Map<String, Candidate> candidates = new LinkedHashMap<>();

    private record Candidate(Step step, ReferenceEnv env) {}

    /** A walk begins. */
    void clear() {
        candidates.clear();
    }

    /** Whether a step goes on in this walk because it has begun early. */
    boolean hasBegun(Step step, String key, ReferenceEnv env) {
        if (step.policy().beginIf().isPresent()) {
            candidates.put(key, new Candidate(step, env));
        }
        return begun.contains(key);
    }

    /**
     * Once nothing else happens: looks at each step of which something more that it needs has ended, or one more iteration of a loop that it needs;
     * tells whether one begins.
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

    /** What is inside of something begins again. */
    void forget(Predicate<String> isInside) {
        begun.removeIf(isInside);
        lookedAt.keySet().removeIf(isInside);
    }
}
