package dev.millrace.client;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Place in the events of one run. A new stream repeats the present state; {@link #isNews} lets only news through. */
final class Following {
    private final Map<String, Step> steps = new HashMap<>();
    private Optional<Run> run = Optional.empty();
    private long position;

    /** Position of the last piece of log. */
    long position() {
        return position;
    }

    boolean hasEnded() {
        return run.map(it -> it.state().isEnd()).orElse(false);
    }

    /** Records the event. */
    boolean isNews(RunEvent event) {
        if (event instanceof LogChunk log) {
            boolean isNews = log.position() > position;
            position = Math.max(position, log.position());
            return isNews;
        }
        if (event instanceof Run now) {
            boolean isNews = !run.equals(Optional.of(now));
            run = Optional.of(now);
            return isNews;
        }
        return event instanceof Step step && !step.equals(steps.put(step.jobId(), step));
    }
}
