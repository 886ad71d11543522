package dev.millrace.scheduler.explain.core;

import dev.millrace.scheduler.queue.core.JobLimit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Description of what a job under a limit waits for. */
final class LimitWords {
    private LimitWords() {}

    static String of(LiveJob.LimitQueue queue, int ahead) {
        JobLimit limit = queue.limit();
        List<String> numbers = new ArrayList<>();
        limit.max().ifPresent(max -> numbers.add(queue.released() + " of " + max + " places are taken"));
        limit.rate()
                .ifPresent(rate -> numbers.add(queue.begun() + " of " + rate.count() + " jobs that may begin in "
                        + rate.per().toString().substring(2).toLowerCase(Locale.ROOT)
                        + " have begun or are about to begin"));
        return "It waits for its limit \"" + limit.key() + "\": " + String.join(", and ", numbers) + ". "
                + (ahead == 0 ? "It is the first in line." : ahead + " jobs with this key go first.");
    }
}
