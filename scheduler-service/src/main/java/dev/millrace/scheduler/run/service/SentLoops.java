package dev.millrace.scheduler.run.service;

import dev.millrace.proto.run.v1.Step;
import dev.millrace.scheduler.run.step.IterationCounts;
import dev.millrace.scheduler.run.step.StepProtos;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The containers that a follower has received, with the numbers of their iterations. Not thread-safe. */
final class SentLoops {
    /** Shortest time between two looks at iterations, which change with each job that begins or ends. */
    private static final Duration PAUSE = Duration.ofMillis(250);

    private final Map<String, Step> containers = new HashMap<>();
    /** Keys of the loops that are folded. */
    private final Set<String> folded = new HashSet<>();

    private final Map<String, IterationCounts> counts = new HashMap<>();
    /** When the last look was; absent before the first. */
    private Optional<Long> lookedNanos = Optional.empty();

    /** Whether no container is known, so that there can be no loop. */
    boolean isEmpty() {
        return containers.isEmpty();
    }

    /** Notes which loops are folded, before anything is sent. */
    void note(Set<String> loops) {
        folded.addAll(loops);
    }

    /** Whether a step is left out, because it stands inside a folded loop. */
    boolean hides(String key) {
        for (int open = key.indexOf('['); open >= 0 && !folded.isEmpty(); open = key.indexOf('[', open + 1)) {
            if (folded.contains(key.substring(0, open))) {
                return true;
            }
        }
        return false;
    }

    boolean areDue(long nanos) {
        return lookedNanos.isEmpty() || nanos - lookedNanos.get() >= PAUSE.toNanos();
    }

    /** The message for a step, which is remembered if it may be a loop. */
    Step sending(dev.millrace.scheduler.run.step.Step step) {
        Step message = StepProtos.step(step);
        if (!step.kind().isContainer()) {
            return message;
        }
        containers.put(step.key(), message);
        return StepProtos.folded(message, Optional.ofNullable(counts.get(step.key())));
    }

    /** The messages of the loops whose iterations differ from what was sent. */
    List<Step> changed(Map<String, IterationCounts> present, long nanos) {
        lookedNanos = Optional.of(nanos);
        List<Step> changed = new ArrayList<>();
        folded.addAll(present.keySet());
        present.forEach((key, count) -> {
            Step loop = containers.get(key);
            if (loop != null && !count.equals(counts.put(key, count))) {
                changed.add(StepProtos.folded(loop, Optional.of(count)));
            }
        });
        return changed;
    }
}
