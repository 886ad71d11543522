package dev.millrace.scheduler.trigger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.testing.MigratedDatabase;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class TriggerStartStoreTest {
    private static final int INPUT_BYTES = 1 << 20;
    private static final int MANY = 10;
    private static final UUID TRIGGER = new UUID(1, 1);

    @RegisterExtension
    private final MigratedDatabase postgres = new MigratedDatabase();

    /** Whoever takes over what others have left holds all of it at once. */
    @Test
    void takesOverAsMuchAsFitsIntoMemoryAndOneMore() {
        postgres.database().run(dsl -> dsl.execute("""
                        insert into trigger (id, workspace, kind, path, version, template, settings, description, actor)
                        values (?, 'default', 'webhook', 'a', 1, '', '', '', 'somebody')
                        """, TRIGGER));
        for (int number = 0; number < MANY; number++) {
            insert(number, INPUT_BYTES);
        }
        TriggerStartStore store = new TriggerStartStore(postgres.database());

        assertThat(store.reclaim(MANY, 3 * INPUT_BYTES - 1)).hasSize(3);
        assertThat(store.reclaim(MANY, 1)).as("one, however large it is").hasSize(1);
        assertThat(store.reclaim(2, Long.MAX_VALUE)).hasSize(2);
        assertThat(store.reclaim(MANY, Long.MAX_VALUE)).as("the rest").hasSize(4);
        assertThat(store.reclaim(MANY, Long.MAX_VALUE)).isEmpty();
    }

    private void insert(int number, int bytes) {
        postgres.database()
                .run(dsl -> dsl.execute("""
                insert into trigger_start (trigger_id, occurrence, workspace, id, state, input, occurred_at, claimed_until)
                values (?, 'o' || ?, 'default', ?, ?, repeat('x', ?), now(), now() - interval '1 minute')
                """, TRIGGER, number, new UUID(2, number), StartState.CLAIMED.code(), bytes));
    }
}
