package dev.millrace.scheduler.lane;

import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Notices commits that hang, and logs once that they do and once that they no longer do. Thread-safe. */
public final class CommitWatch {
    private static final Logger log = LoggerFactory.getLogger(CommitWatch.class);

    private final Lanes lanes;
    private final AtomicBoolean hanging = new AtomicBoolean();

    public CommitWatch(Lanes lanes) {
        this.lanes = lanes;
    }

    /** Whether all lanes can commit. To be called again and again, since it also logs what has changed. */
    public boolean canCommit() {
        boolean hangs = lanes.oldestCommit().compareTo(Lane.COMMIT_AGE_MAX) >= 0;
        if (hanging.getAndSet(hangs) != hangs) {
            if (hangs) {
                log.atWarn()
                        .addKeyValue("seconds", Lane.COMMIT_AGE_MAX.toSeconds())
                        .log(
                                "Commits hang although Postgres answers: see whether a synchronous standby is gone (pg_stat_replication), a disk is full, or a transaction holds a lock (pg_stat_activity)");
            } else {
                log.info("Commits end again");
            }
        }
        return lanes.canCommit();
    }
}
