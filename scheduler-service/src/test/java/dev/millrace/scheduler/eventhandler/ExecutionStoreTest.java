package dev.millrace.scheduler.eventhandler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.testing.MigratedDatabase;
import dev.millrace.scheduler.trigger.ClaimTurns;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Which messages a scheduler takes. */
class ExecutionStoreTest {
    private static final int MANY = 10;
    private static final int MESSAGE_BYTES = 1_000;
    private static final Duration CLAIM_TIME = Duration.ofMinutes(1);

    @RegisterExtension
    private final MigratedDatabase postgres = new MigratedDatabase();

    @Test
    void takesAShareOfEachWorkspaceHoweverManyMessagesAnotherOneHas() {
        for (int number = 0; number < MANY; number++) {
            insert("flood", number);
        }
        insert("calm", MANY);

        assertThat(claim(Set.of(), new ClaimTurns.Share(2, Long.MAX_VALUE))).containsExactlyInAnyOrder(0, 1, MANY);
        assertThat(claim(Set.of(Workspace.of("flood")), new ClaimTurns.Share(2, Long.MAX_VALUE)))
                .as("the flood has work, and what was calm is claimed")
                .isEmpty();
        assertThat(claim(Set.of(), new ClaimTurns.Share(MANY, 2 * MESSAGE_BYTES + 1)))
                .as("as many as fit into memory and one more")
                .containsExactlyInAnyOrder(2, 3, 4);
    }

    private List<Integer> claim(Set<Workspace> passedOver, ClaimTurns.Share share) {
        return new ExecutionStore(postgres.database())
                .claim(passedOver, MANY, share, CLAIM_TIME).stream()
                        .map(one -> (int) one.key().message().getLeastSignificantBits())
                        .toList();
    }

    private void insert(String workspace, int number) {
        postgres.database()
                .run(dsl -> dsl.execute(
                        """
                insert into event_execution (handler_id, message_id, workspace, event, run_name, state, message, claimed_until)
                values (?, ?, ?, 'e', 'r', ?, repeat('x', ?), now() - interval '1 minute' + ? * interval '1 second')
                """,
                        new UUID(1, 1),
                        new UUID(2, number),
                        workspace,
                        ExecutionState.NOTED.code(),
                        MESSAGE_BYTES,
                        number));
    }
}
