package dev.millrace.scheduler.telemetry;

import dev.millrace.metrics.LabelBound;
import dev.millrace.scheduler.queue.core.JobOptions;

/**
 * Values of the label {@code tag}: the tags that callers ask for. The scheduler lets some jobs wait under tags of its
 * own, which name a workspace, a session or a limit before a slash; these are left out. Thread-safe.
 */
final class TagLabel {
    /** Largest number of tags that metrics tell apart; all further ones are counted together. */
    static final int TAGS_MAX = 50;

    private final LabelBound bound = new LabelBound(TAGS_MAX);

    String of(String tag) {
        return bound.of(asked(tag));
    }

    private static String asked(String tag) {
        return JobOptions.isCallers(tag) ? tag : tag.substring(tag.indexOf('/') + 1);
    }
}
