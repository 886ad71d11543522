package dev.millrace.scheduler.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.event.core.Position;
import dev.millrace.scheduler.event.core.StoredEvent;
import dev.millrace.scheduler.eventlog.EventRows;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.testing.MigratedDatabase;
import java.util.Map;
import org.jooq.DSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class EventStoreTest {
    private static final int LIMIT = 10;
    private static final Position OLDEST = new Position(1, 0, 0, 0);

    @RegisterExtension
    private final MigratedDatabase postgres = new MigratedDatabase();

    @Test
    void anOpenTransactionHoldsUpWhatCommitsAfterIt() {
        Database database = postgres.database();
        EventStore store = new EventStore(database);
        assertThat(store.next(Workspace.DEFAULT, true, OLDEST, LIMIT).isHeldUp())
                .as("without events")
                .isFalse();

        Position before = database.transaction(open -> {
            happens(open, "shop/first");
            assertThat(store.next(Workspace.DEFAULT, true, OLDEST, LIMIT).isHeldUp())
                    .as("with nothing behind the open transaction")
                    .isFalse();
            database.transaction(later -> happens(later, "shop/second"));

            EventStore.Batch held = store.next(Workspace.DEFAULT, true, OLDEST, LIMIT);
            assertThat(held.events()).isEmpty();
            assertThat(held.isHeldUp()).isTrue();
            assertThat(held.isLast()).isTrue();
            assertThat(Events.pauseAfter(held, Events.HELD_UP_INTERVAL.multipliedBy(9)))
                    .isEqualTo(Events.HELD_UP_INTERVAL);
            return held.end();
        });

        EventStore.Batch both = store.next(Workspace.DEFAULT, true, before, LIMIT);
        assertThat(both.events()).extracting(StoredEvent::name).containsExactly("shop/first", "shop/second");
        assertThat(both.isHeldUp()).isFalse();
    }

    private static int happens(DSLContext dsl, String path) {
        EventRows.insert(dsl, Workspace.DEFAULT, "flow.deployed", path, Map.of());
        return 0;
    }
}
