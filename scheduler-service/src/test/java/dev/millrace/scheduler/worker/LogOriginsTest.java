package dev.millrace.scheduler.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.proto.worker.v1.WorkerLog;
import dev.millrace.scheduler.queue.LeasedJob;
import dev.millrace.scheduler.queue.Leases;
import dev.millrace.scheduler.queue.core.LeaseKey;
import dev.millrace.scheduler.testing.MigratedDatabase;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class LogOriginsTest {
    @RegisterExtension
    private static final MigratedDatabase POSTGRES = new MigratedDatabase();

    private final Leases leases = new Leases();
    private final LogOrigins origins = new LogOrigins(new LogOriginStore(POSTGRES.database()), leases);

    /** Results that come right after the logs take leases out of memory, and then only the database would know them. */
    @Test
    void keepsWhatMemoryKnewWhenTheLogsCame() {
        LeasedJob lease = BegunJobsTest.lease(0);
        add(lease);

        var remembered = origins.remembered(List.of(chunk(lease), chunk(lease)));
        leases.forget(lease.key());

        assertThat(remembered)
                .hasValueSatisfying(found -> assertThat(found)
                        .hasSize(1)
                        .extractingByKey(new LeaseKey(lease.job().id(), lease.token()))
                        .extracting(LogOrigins.Origin::run)
                        .isEqualTo(lease.job().run()));
        assertThat(origins.remembered(List.of(chunk(lease)))).isEmpty();
    }

    @Test
    void remembersNothingUnlessItKnowsAll() {
        LeasedJob known = BegunJobsTest.lease(0);
        add(known);

        assertThat(origins.remembered(List.of(chunk(known), chunk(BegunJobsTest.lease(1)))))
                .isEmpty();
    }

    private void add(LeasedJob lease) {
        try (Leases.View view = leases.view()) {
            assertThat(view.add(lease)).isEqualTo(Leases.Addition.NEW);
        }
    }

    private static WorkerLog chunk(LeasedJob lease) {
        return WorkerLog.newBuilder()
                .setJobId(lease.job().id().toString())
                .setLeaseToken(lease.token().value())
                .build();
    }
}
