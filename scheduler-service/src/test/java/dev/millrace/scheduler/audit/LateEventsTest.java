package dev.millrace.scheduler.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.audit.core.AuditEvent;
import dev.millrace.scheduler.audit.core.AuditOutcome;
import dev.millrace.scheduler.audit.core.DenialWindow;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.queue.core.IdSource;
import dev.millrace.scheduler.testing.MigratedDatabase;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class LateEventsTest {
    @RegisterExtension
    private final MigratedDatabase migrated = new MigratedDatabase();

    private final Database database = migrated.database();
    private final IdSource ids = new IdSource(InstantSource.system()::millis, new Random(7));
    private Instant now = Instant.parse("2026-03-01T12:00:00Z");
    private final LateEvents late = new LateEvents(new AuditStore(database), ids, () -> now);

    @Test
    void writesTheFirstRefusalsAtOnceAndCountsTheOthers() {
        int calls = 1_000;
        for (int call = 0; call < calls; call++) {
            late.denied(event("10.0.0.1", "GetRun"));
        }

        assertThat(late.runOnce()).isEqualTo(DenialWindow.LENGTH);
        assertThat(counts()).hasSize(DenialWindow.EVENTS_PER_CALLER_MAX).containsOnly(1L);

        now = now.plus(DenialWindow.LENGTH);
        late.runOnce();

        assertThat(counts().stream().mapToLong(Long::longValue).sum()).isEqualTo(calls);
        assertThat(counts()).hasSize(DenialWindow.EVENTS_PER_CALLER_MAX + 1);
        assertThat(late.runOnce()).as("nothing is due").isGreaterThan(Duration.ofMinutes(5));
    }

    @Test
    void keepsOnlySoManyInMemoryAndSaysHowManyWereDropped() {
        int extra = 50;
        for (int call = 0; call < LateEvents.WAITING_MAX + extra; call++) {
            late.late(event("10.0.0.1", "CancelRun").ended(AuditOutcome.UNKNOWN, "{}"));
        }

        late.runOnce();

        assertThat(counts()).hasSize(LateEvents.WAITING_MAX + 1).contains((long) extra);
    }

    @Test
    void writesTheOthersIfOneCannotBeStored() {
        migrated.execute("alter table audit_event add constraint no_poison check (action <> 'Poison')");
        late.late(event("10.0.0.1", "Poison"));
        late.late(event("10.0.0.1", "CancelRun"));

        late.runOnce();

        assertThat(counts()).hasSize(1);
    }

    @Test
    void writesAllAtTheEnd() {
        for (int call = 0; call < 100; call++) {
            late.denied(event("10.0.0.1", "GetRun"));
        }

        late.close();

        assertThat(counts().stream().mapToLong(Long::longValue).sum()).isEqualTo(100);
    }

    @Test
    void anUnknownEndIsKnownOnceTheChangeIsMade() {
        AuditStore store = new AuditStore(database);
        AuditEvent call = event("10.0.0.1", "CancelRun").ended(AuditOutcome.ALLOWED, "{}");
        late.late(call.ended(AuditOutcome.UNKNOWN, "{\"error\":\"DATABASE_UNAVAILABLE\"}"));
        late.runOnce();

        store.insert(call);
        assertThat(outcomes()).containsExactly("allowed");

        late.late(call.ended(AuditOutcome.UNKNOWN, "{}"));
        late.runOnce();
        assertThat(outcomes())
                .as("who knows less does not change what is known")
                .containsExactly("allowed");
    }

    private AuditEvent event(String address, String action) {
        return new AuditEvent(
                ids.nextUuid(),
                Optional.empty(),
                "anonymous",
                Optional.empty(),
                address,
                action,
                "",
                AuditOutcome.DENIED,
                "{}",
                1);
    }

    private List<Long> counts() {
        return database.run(dsl -> dsl.fetch("select calls from audit_event").getValues(0, Long.class));
    }

    private List<String> outcomes() {
        return database.run(dsl -> dsl.fetch("select outcome from audit_event").getValues(0, String.class));
    }
}
