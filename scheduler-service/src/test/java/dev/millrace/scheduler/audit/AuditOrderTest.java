package dev.millrace.scheduler.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.testing.MigratedDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests on a real Postgres that exports that go on after an event miss none, in whatever order events commit. */
class AuditOrderTest {
    @RegisterExtension
    private static final MigratedDatabase DATABASE = new MigratedDatabase();

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @Test
    void missesNoCallThatTookLongerThanOthersThatWereExportedMeanwhile() throws SQLException {
        Instant now = Instant.now();
        String late = idAt(now.minus(Duration.ofMinutes(30)));
        String prompt = idAt(now.minus(Duration.ofMinutes(20)));
        insert(prompt, "eve");
        awaitExported("eve", "", prompt);

        insert(late, "eve");

        awaitExported("eve", prompt, late);
        awaitExported("eve", "", prompt, late);
    }

    @Test
    void waitsForATransactionThatIsOpen() throws SQLException {
        Instant now = Instant.now();
        String open = idAt(now.minus(Duration.ofMinutes(30)));
        String prompt = idAt(now.minus(Duration.ofMinutes(20)));
        String before = idAt(now.minus(Duration.ofMinutes(10)));
        insert(before, "mallory");
        awaitExported("mallory", "", before);
        try (Connection connection = DATABASE.database().openDedicated("audit export test")) {
            connection.setAutoCommit(false);
            try (Statement statement = connection.createStatement()) {
                statement.execute(insertion(open, "mallory"));
            }
            insert(prompt, "mallory");

            assertThat(exported("mallory", before))
                    .as("an event that was stored after a transaction began that is still open")
                    .isEmpty();

            connection.commit();
        }
        awaitExported("mallory", before, open, prompt);
    }

    @Test
    void beginsWithEventsOfAnotherServer() {
        String restored = idAt(Instant.now().minus(Duration.ofHours(3)));
        String own = idAt(Instant.now().minus(Duration.ofHours(5)));
        insert(own, "trent");
        insert(restored, "trent");
        DATABASE.execute("update audit_event set transaction_id = 9000000000000000 where id = '" + restored + "'");

        new AuditStore(DATABASE.database()).forgetForeignTransactions();

        awaitExported("trent", "", restored, own);
        awaitExported("trent", restored, own);
    }

    @Test
    void goesOnAfterAnEventThatIsNotKept() {
        String old = idAt(Instant.now().minus(Duration.ofHours(7)));
        String kept = idAt(Instant.now().minus(Duration.ofHours(5)));
        insert(kept, "peggy");

        awaitExported("peggy", old, kept);
        assertThat(exported("peggy", idAt(Instant.now().minus(Duration.ofHours(4)))))
                .isEmpty();
    }

    private static void insert(String id, String principal) {
        DATABASE.execute(insertion(id, principal));
    }

    private static String insertion(String id, String principal) {
        return "insert into audit_event (id, workspace, principal, address, action, subject, outcome) values ('" + id
                + "', 'acme', '" + principal + "', '10.0.0.1', 'CancelRun', 'run', 'allowed')";
    }

    private static List<String> exported(String principal, String after) {
        AuditEvents events = new AuditEvents(DATABASE.database(), Duration.ZERO);
        AuditFilter filter = new AuditFilter(
                Optional.of(Workspace.of("acme")),
                Optional.of(principal),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
        return events.next(events.after(filter, AuditProtos.after(after)), events.settled()).stream()
                .map(stored -> stored.event().id().toString())
                .toList();
    }

    /** Exports until no transaction of others, such as other tests on the same server, holds events back. */
    private static void awaitExported(String principal, String after, String... ids) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        List<String> found = exported(principal, after);
        while (!found.equals(List.of(ids)) && System.nanoTime() < end) {
            found = exported(principal, after);
        }
        assertThat(found).containsExactly(ids);
    }

    /** The id of an event whose call began at this time. */
    private static String idAt(Instant time) {
        return new UUID(time.toEpochMilli() << 16 | 0x7000, 0x8000000000000000L).toString();
    }
}
