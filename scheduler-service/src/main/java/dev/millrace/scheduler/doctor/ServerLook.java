package dev.millrace.scheduler.doctor;

import dev.millrace.scheduler.database.ServerAddress;
import java.time.Duration;
import java.util.List;

/** What the doctor sees of one of the servers that the address of the database names. */
sealed interface ServerLook {
    ServerAddress server();

    /**
     * A server that does not answer.
     *
     * @param why in the words of the driver or of the server
     */
    record Unreachable(ServerAddress server, String why) implements ServerLook {}

    /** A server that follows another. */
    record Following(ServerAddress server, Lineage lineage) implements ServerLook {}

    /**
     * A server that accepts writes.
     *
     * @param synchronousNames the setting {@code synchronous_standby_names}; empty if commits wait for no standby
     * @param synchronousCommit the setting of this name
     */
    record Primary(
            ServerAddress server,
            Lineage lineage,
            String synchronousNames,
            String synchronousCommit,
            List<Standby> standbys)
            implements ServerLook {
        public Primary {
            standbys = List.copyOf(standbys);
        }
    }

    /**
     * Which history of a cluster a server has.
     *
     * @param system identifier of the cluster; empty if the server does not tell
     * @param timeline 0 if the server does not tell
     */
    record Lineage(String system, long timeline) {
        static final Lineage UNKNOWN = new Lineage("", 0);
    }

    /**
     * A standby that is attached to a primary.
     *
     * @param state for example {@code streaming}; empty if the user may not see it
     * @param synchrony {@code sync}, {@code quorum}, {@code potential} or {@code async}; empty if the user may not see it
     * @param bytesBehind what it has not replayed
     * @param behind how long ago that began, 0 for an idle primary
     */
    record Standby(String name, String state, String synchrony, long bytesBehind, Duration behind) {
        boolean isStreaming() {
            return state.equals("streaming");
        }

        /** Whether commits may wait for it. */
        boolean isSynchronous() {
            return isStreaming() && (synchrony.equals("sync") || synchrony.equals("quorum"));
        }
    }
}
