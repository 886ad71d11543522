package dev.millrace.scheduler.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.proto.worker.v1.Hello;
import dev.millrace.scheduler.access.Access;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.SchedulerId;
import dev.millrace.scheduler.queue.core.SessionId;
import dev.millrace.scheduler.testing.MigratedDatabase;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class SessionStoreTest {
    private static final Duration TTL = Duration.ofSeconds(15);
    private static final Duration GAP_MAX = Duration.ofSeconds(7);
    private static final byte[] SECRET = ResumeToken.hash("secret");

    @RegisterExtension
    private final MigratedDatabase postgres = new MigratedDatabase();

    private final Database database = postgres.database();

    private final SessionStore left = new SessionStore(database, new SchedulerId(UUID.randomUUID()));
    private final SessionStore right = new SessionStore(database, new SchedulerId(UUID.randomUUID()));
    private final SessionId session = new SessionId(UUID.randomUUID());

    @Test
    void resumesAnExpiredSessionThatNobodyHasEnded() {
        open();
        expireSince("1 hour");
        assertThat(right.resume(session, SECRET, Optional.empty(), List.of(), TTL))
                .contains(false);
        assertThat(right.end(GAP_MAX)).isEmpty();
    }

    @Test
    void neitherResumesNorExtendsAnEndedSession() {
        open();
        expireSince("1 second");
        assertThat(left.end(GAP_MAX)).containsExactly(new SessionStore.Ended(session, "worker", Optional.empty()));
        assertThat(left.resume(session, SECRET, Optional.empty(), List.of(), TTL))
                .isEmpty();
        assertThat(extend()).isEmpty();
        assertThat(left.alive(List.of(session))).isEmpty();
        assertThat(left.ended()).containsExactly(new SessionStore.Ended(session, "worker", Optional.empty()));
    }

    @Test
    void clearsTheBegunJobsWhenASessionIsHeardAgain() {
        open();
        left.noteBegun(session, Set.of(new JobId(UUID.randomUUID())));
        extend();
        expireSince("1 second");
        assertThat(left.end(GAP_MAX)).containsExactly(new SessionStore.Ended(session, "worker", Optional.empty()));
    }

    @Test
    void extendsOnlyItsOwnSessions() {
        open();
        assertThat(extend()).isEqualTo(Map.of(session, false));
        right.resume(session, SECRET, Optional.empty(), List.of(), TTL);
        assertThat(extend()).isEmpty();
        assertThat(left.alive(List.of(session))).containsExactly(session);
        left.shorten(session, Duration.ZERO);
        assertThat(left.end(GAP_MAX))
                .as("sessions that another scheduler holds are shortened by that alone")
                .isEmpty();
    }

    /** A worker that resumes its session elsewhere, or whose scheduler is started again, stays drained. */
    @Test
    void tellsWhetherTheWorkerIsDrainedWhereverItsSessionContinues() {
        open();
        DrainStore drains = new DrainStore(database);
        assertThat(drains.drain(session, "ana", "new disk")).hasValueSatisfying(drain -> {
            assertThat(drain.actor()).isEqualTo("ana");
            assertThat(drain.groups()).isZero();
        });
        assertThat(extend()).isEqualTo(Map.of(session, true));
        assertThat(right.resume(session, SECRET, Optional.empty(), List.of(), TTL))
                .contains(true);

        assertThat(drains.resume(session)).isTrue();
        assertThat(left.resume(session, SECRET, Optional.empty(), List.of(), TTL))
                .contains(false);
        assertThat(extend()).isEqualTo(Map.of(session, false));
        left.leave(session);
        assertThat(drains.resume(session)).isFalse();
        assertThat(drains.drain(session, "ana", "")).isEmpty();
    }

    @Test
    void ignoresPeriodsInWhichNoSchedulerKeptSessions() {
        open();
        expireSince("20 seconds");
        postgres.execute("update session_watch set seen_at = now() - interval '35 seconds'");
        right.watch(GAP_MAX, TTL);
        assertThat(right.end(GAP_MAX)).isEmpty();
        assertThat(right.untilNextExpiry().orElseThrow()).isBetween(TTL.minusSeconds(5), TTL);
    }

    /** The keeper, or the database during the statement, may have been frozen since the last watch. */
    @Test
    void endsNoSessionWithoutARecentWatch() {
        open();
        right.watch(GAP_MAX, TTL);
        postgres.execute("update session_watch set seen_at = now() - interval '20 seconds'");
        expireSince("5 seconds");
        assertThat(right.end(GAP_MAX)).isEmpty();
        right.watch(GAP_MAX, TTL);
        assertThat(right.end(GAP_MAX)).isEmpty();
    }

    @Test
    void countsPeriodsInWhichAnotherSchedulerKeptSessions() {
        open();
        expireSince("1 second");
        postgres.execute("update session_watch set seen_at = now() - interval '4 seconds'");
        right.watch(GAP_MAX, TTL);
        assertThat(right.end(GAP_MAX)).hasSize(1);
    }

    @Test
    void keepsAnEndedSessionUntilNoFlushCanLeaseAJobToIt() {
        open();
        left.leave(session);
        left.deleteIfEmpty(session);
        assertThat(left.ended()).hasSize(1);

        postgres.execute("update worker_session set ended_at = now() - interval '1 minute'");
        left.deleteIfEmpty(session);
        assertThat(left.ended()).isEmpty();
    }

    private void open() {
        left.watch(GAP_MAX, TTL);
        left.insert(
                session,
                SECRET,
                Access.LOCAL,
                Hello.newBuilder().setWorkerName("worker").build(),
                TTL);
    }

    private Map<SessionId, Boolean> extend() {
        return left.extend(List.of(new SessionStore.Keep(session, TTL, new Occupancy(1, 2, 3))));
    }

    private void expireSince(String interval) {
        postgres.execute("update worker_session set expires_at = now() - interval '" + interval + "'");
    }
}
