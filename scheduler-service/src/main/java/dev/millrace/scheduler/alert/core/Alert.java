package dev.millrace.scheduler.alert.core;

import dev.millrace.scheduler.queue.core.Workspace;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Who is told of which events.
 *
 * @param types types of events, or beginnings of types that end with {@code .*}
 * @param folder absent for all folders
 * @param path absent for all flows and scripts
 * @param gap why events were missing when the alert last began; empty if none were
 * @param waiting number of messages that wait
 * @param dead number of messages that were given up
 * @param trouble why events cannot be sent in order now; empty if they can
 */
public record Alert(
        Workspace workspace,
        String name,
        List<String> types,
        Optional<String> folder,
        Optional<String> path,
        Channel channel,
        boolean isPaused,
        String createdBy,
        Instant changedAt,
        String gap,
        long waiting,
        long dead,
        String trouble) {
    /** Maximum number of alerts of a workspace. */
    public static final int ALERTS_MAX = 100;
    /** Maximum number of alerts with a topic of an installation: one scheduler may have a producer for each of them. */
    public static final int STREAMS_MAX = 100;
    /** Maximum number of alerts with a topic of a workspace, so that none takes all. */
    public static final int STREAMS_OF_WORKSPACE_MAX = STREAMS_MAX / 2;
    /** Maximum number of recipients of a mail. */
    public static final int RECIPIENTS_MAX = 20;

    public Alert {
        types = List.copyOf(types);
    }
}
