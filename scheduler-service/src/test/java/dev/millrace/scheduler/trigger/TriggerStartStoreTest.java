package dev.millrace.scheduler.trigger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.testing.MigratedDatabase;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class TriggerStartStoreTest {
    private static final int INPUT_BYTES = 1 << 20;
    private static final int MANY = 10;
    private static final UUID TRIGGER = new UUID(1, 1);

    @RegisterExtension
    private final MigratedDatabase postgres = new MigratedDatabase();

    private TriggerStartStore store;

    @BeforeEach
    void open() {
        postgres.database().run(dsl -> dsl.execute("""
                        insert into trigger (id, workspace, kind, path, version, template, settings, description, actor)
                        values (?, 'default', 'webhook', 'a', 1, '', '', '', 'somebody')
                        """, TRIGGER));
        store = new TriggerStartStore(postgres.database());
    }

    /** Whoever takes over what others have left holds all of it at once. */
    @Test
    void takesOverAsMuchAsFitsIntoMemoryAndOneMore() {
        for (int number = 0; number < MANY; number++) {
            insert("default", number, INPUT_BYTES);
        }

        assertThat(reclaim(MANY, 3 * INPUT_BYTES - 1)).hasSize(3);
        assertThat(reclaim(MANY, 1)).as("one, however large it is").hasSize(1);
        assertThat(reclaim(2, Long.MAX_VALUE)).hasSize(2);
        assertThat(reclaim(MANY, Long.MAX_VALUE)).as("the rest").hasSize(4);
        assertThat(reclaim(MANY, Long.MAX_VALUE)).isEmpty();
    }

    @Test
    void takesOverAShareOfEachWorkspace() {
        for (int number = 0; number < MANY; number++) {
            insert("flood", number, 1);
        }
        insert("calm", MANY, 1);

        assertThat(store.reclaim(Set.of(), MANY, new ClaimTurns.Share(2, 1_000)))
                .extracting(ClaimedStart::occurrence)
                .hasSize(3)
                .contains("o0", "o1", "o" + MANY);
    }

    @Test
    void passesOverWorkspacesThatHaveWork() {
        insert("flood", 1, 1);
        insert("calm", 2, 1);

        assertThat(store.reclaim(Set.of(Workspace.of("flood")), MANY, new ClaimTurns.Share(MANY, Long.MAX_VALUE)))
                .extracting(ClaimedStart::occurrence)
                .containsExactly("o2");
    }

    private List<ClaimedStart> reclaim(int max, long bytesMax) {
        return store.reclaim(Set.of(), 1, new ClaimTurns.Share(max, bytesMax));
    }

    private void insert(String workspace, int number, int bytes) {
        postgres.database()
                .run(dsl -> dsl.execute(
                        """
                insert into trigger_start (trigger_id, occurrence, workspace, id, state, input, occurred_at, claimed_until)
                values (?, 'o' || ?, ?, ?, ?, repeat('x', ?), now(), now() - interval '1 minute' + ? * interval '1 second')
                """,
                        TRIGGER,
                        number,
                        workspace,
                        new UUID(2, number),
                        StartState.CLAIMED.code(),
                        bytes,
                        number));
    }
}
