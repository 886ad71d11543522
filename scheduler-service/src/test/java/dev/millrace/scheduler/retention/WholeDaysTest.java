package dev.millrace.scheduler.retention;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.audit.AuditRetention;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class WholeDaysTest {
    @AutoClose
    private final RetentionDatabase tables = new RetentionDatabase();

    @Test
    void areDroppedOnceAllOfThemIsOld() {
        String old = tables.id("367 days");
        String young = tables.id("364 days");
        tables.addDay("audit_event", old);
        tables.addDay("audit_event", young);
        insert(old);
        insert(young);
        List<String> days = tables.pastDays("audit_event");

        tables.sweep(AuditRetention.EVENTS);

        assertThat(tables.pastDays("audit_event")).isEqualTo(days.subList(1, 2));
        assertThat(tables.texts("select id::text from audit_event")).containsExactly(young);
        assertThat(tables.retention(AuditRetention.EVENTS).status())
                .singleElement()
                .satisfies(status -> assertThat(status.removedRows()).isOne());
    }

    @Test
    void areDeletedWhereNoPartitionWasThereInTime() {
        insert(tables.id("367 days"));
        String today = tables.id("0");
        insert(today);

        tables.sweep(AuditRetention.EVENTS);

        assertThat(tables.texts("select id::text from audit_event")).containsExactly(today);
        assertThat(tables.texts("select tableoid::regclass::text from audit_event"))
                .singleElement()
                .asString()
                .matches("audit_event_\\d{8}");
    }

    private void insert(String id) {
        tables.execute("""
                insert into audit_event (id, workspace, principal, address, action, subject, outcome)
                values ('%s', '', 'ada', '', 'CreateUser', 'bob', 'allowed')
                """.formatted(id));
    }
}
