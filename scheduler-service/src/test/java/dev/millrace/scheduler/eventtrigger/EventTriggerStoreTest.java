package dev.millrace.scheduler.eventtrigger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.testing.MigratedDatabase;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class EventTriggerStoreTest {
    private static final Duration HELD = Duration.ofSeconds(60);

    @RegisterExtension
    private final MigratedDatabase postgres = new MigratedDatabase();

    @Test
    void workspacesTakeTurnsIfThereAreMoreThanASchedulerHolds() {
        for (String workspace : List.of("one", "three", "two")) {
            postgres.database()
                    .run(dsl -> dsl.execute(
                            "insert into event_trigger_reader (workspace, position) values (?, '')", workspace));
        }
        EventTriggerStore store = new EventTriggerStore(postgres.database());
        UUID self = new UUID(1, 1);

        assertThat(workspaces(store.claim(self, 2, HELD))).containsExactlyInAnyOrder("one", "three");
        assertThat(store.claim(new UUID(2, 2), 2, HELD)).hasSize(1);
        store.release(new UUID(2, 2));
        assertThat(workspaces(store.claim(self, 2, HELD))).contains("two");
    }

    private static List<String> workspaces(List<EventTriggerStore.Held> held) {
        return held.stream().map(each -> each.workspace().name()).toList();
    }
}
