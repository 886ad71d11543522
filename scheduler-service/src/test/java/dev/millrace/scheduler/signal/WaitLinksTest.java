package dev.millrace.scheduler.signal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.testing.TestDatabase;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class WaitLinksTest {
    private static final RunId RUN = RunId.parse("0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b");
    private static final Instant SIGNED = Instant.parse("2030-01-30T08:00:00Z");
    private static final Instant EXPIRES = Instant.parse("2030-01-31T08:00:00Z");

    @Test
    void verifiesTheLinksOfEachSchedulerOfADatabase() {
        try (TestDatabase database = TestDatabase.migrated();
                Database one = database.open();
                Database two = database.open()) {
            WaitLinks links = new WaitLinks(new ServerSecretStore(one));
            WaitLinks others = new WaitLinks(new ServerSecretStore(two));
            String token = links.create(RUN, "w", List.of("ann"), SIGNED, EXPIRES)
                    .getFirst()
                    .accept();

            assertThat(others.verify(RUN, token, () -> EXPIRES.minusSeconds(1)).actor())
                    .isEqualTo("ann");
            MillraceException late =
                    catchThrowableOfType(MillraceException.class, () -> others.verify(RUN, token, () -> EXPIRES));
            assertThat(late.code()).isEqualTo(ErrorCode.WAIT_LINK_INVALID);
            assertThat(late).hasMessageContaining("expired at 2030-01-31T08:00:00Z");
        }
    }

    /** Anybody may call the address of a link, so a wrong one must not cost a look at the database. */
    @Test
    void refusesForgedLinksWithoutAskingForTheTime() {
        try (TestDatabase database = TestDatabase.migrated();
                Database open = database.open()) {
            WaitLinks links = new WaitLinks(new ServerSecretStore(open));
            String forged = links.create(RUN, "w", List.of("ann"), SIGNED, EXPIRES)
                            .getFirst()
                            .accept()
                    + "A";

            MillraceException refused = catchThrowableOfType(
                    MillraceException.class,
                    () -> links.verify(RUN, forged, () -> {
                        throw new AssertionError("the database was asked for its time");
                    }));

            assertThat(refused.code()).isEqualTo(ErrorCode.WAIT_LINK_INVALID);
        }
    }
}
