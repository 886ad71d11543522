package dev.millrace.scheduler.bulk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.queue.OperationNote;
import dev.millrace.scheduler.queue.RunOperation;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.testing.MigratedDatabase;
import dev.millrace.scheduler.testing.Sweep;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests how schedulers share the runs of an operation, and what happens when one of them dies. */
class BulkItemStoreTest {
    private static final int RUNNING_MAX = 100;
    private static final OperationNote NOTE = new OperationNote("ann", "tidy up", "");

    @RegisterExtension
    private final MigratedDatabase postgres = new MigratedDatabase();

    private final Database database = postgres.database();
    private final BulkStore bulks = new BulkStore(database);
    private final BulkItemStore items = new BulkItemStore(database);

    @Test
    void givesEachRunToOneSchedulerOnly() {
        accept(10);

        List<ClaimedItem> first = items.claim(6);
        List<ClaimedItem> second = items.claim(6);

        assertThat(first).hasSize(6);
        assertThat(second).hasSize(4);
        assertThat(Stream.concat(first.stream(), second.stream()).map(ClaimedItem::run))
                .doesNotHaveDuplicates();
        assertThat(items.claim(6)).isEmpty();
    }

    @Test
    void workReturnsOfASchedulerThatDied() {
        accept(2);
        List<ClaimedItem> lost = items.claim(2);
        postgres.execute("update bulk_item set claimed_until = now() - interval '1 second'");

        assertThat(items.claim(2)).containsExactlyElementsOf(lost);
    }

    @Test
    void endsWithTheLastRun() {
        BulkId id = accept(2);
        List<ClaimedItem> claimed = items.claim(2);

        items.note(List.of(new EndedItem(claimed.getFirst(), new ItemState.Done(Optional.empty()))));
        assertThat(load(id).state()).isEqualTo(BulkState.RUNNING);
        items.note(List.of(new EndedItem(claimed.getLast(), new ItemState.Failed("RUN_ENDED", "It has ended."))));

        assertThat(load(id).state()).isEqualTo(BulkState.ENDED);
        assertThat(load(id).progress()).isEqualTo(new BulkProgress(2, 1, 1, 0));
        assertThat(items.list(id, Set.of(ItemState.FAILED), Optional.empty(), 10))
                .containsExactly(
                        new BulkItem(claimed.getLast().run().id(), new ItemState.Failed("RUN_ENDED", "It has ended.")));
    }

    @Test
    void aNoteThatComesTwiceChangesNothing() {
        BulkId id = accept(1);
        ClaimedItem claimed = items.claim(1).getFirst();

        items.note(List.of(new EndedItem(claimed, new ItemState.Done(Optional.empty()))));
        items.note(List.of(new EndedItem(claimed, new ItemState.Failed("RUN_ENDED", "It has ended."))));

        assertThat(load(id).progress()).isEqualTo(new BulkProgress(1, 1, 0, 0));
    }

    @Test
    void aCanceledOperationFinishesWhatHasBegunAndLeavesTheRest() {
        BulkId id = accept(5);
        List<ClaimedItem> begun = items.claim(2);

        assertThat(bulks.cancel(id, new OperationNote("bob", "wrong flow", ""))).isTrue();

        assertThat(load(id).state()).isEqualTo(BulkState.CANCELING);
        assertThat(load(id).progress()).isEqualTo(new BulkProgress(5, 0, 0, 3));
        assertThat(items.claim(5)).isEmpty();
        items.note(begun.stream()
                .map(item -> new EndedItem(item, new ItemState.Done(Optional.empty())))
                .toList());
        Bulk canceled = load(id);
        assertThat(canceled.state()).isEqualTo(BulkState.CANCELED);
        assertThat(canceled.progress()).isEqualTo(new BulkProgress(5, 2, 0, 3));
        assertThat(canceled.canceled()).contains(new OperationNote("bob", "wrong flow", ""));
        assertThat(bulks.cancel(id, NOTE)).as("canceling again").isTrue();
    }

    @Test
    void whatHadBegunWhenAnOperationWasCanceledIsFinishedByOthersWhereItsSchedulerDied() {
        BulkId id = accept(3);
        List<ClaimedItem> begun = items.claim(1);
        bulks.cancel(id, NOTE);
        postgres.execute(
                "update bulk_item set claimed_until = now() - interval '1 second' where claimed_until is not null");

        assertThat(items.claim(3)).containsExactlyElementsOf(begun);
    }

    @Test
    void keepsWhatEachOperationDoes() {
        BulkAction rerun =
                new BulkAction.Rerun("a[1].b", Optional.of("hash"), Optional.of(new Json("{\"n\": [1, null]}")));
        accept(1, rerun);
        accept(1, new BulkAction.Change(new RunOperation.Skip("c", new Json("{\"x\": 1}"))));

        assertThat(items.claim(2))
                .extracting(ClaimedItem::action)
                .containsExactlyInAnyOrder(
                        rerun, new BulkAction.Change(new RunOperation.Skip("c", new Json("{\"x\": 1}"))));
    }

    @Test
    void refusesMoreOperationsThanMayRun() {
        accept(1);

        assertThat(bulks.accept(bulk(1, new BulkAction.Restart()), 1)).isEqualTo(BulkStore.Acceptance.BUSY);
    }

    @Test
    void forgetsOperationsThatEndedLongAgo() {
        BulkId old = accept(1);
        BulkId recent = accept(1);
        items.note(items.claim(2).stream()
                .map(item -> new EndedItem(item, new ItemState.Done(Optional.empty())))
                .toList());
        postgres.execute("update bulk_operation set ended_at = now() - interval '15 days' where id = '" + old + "'");

        Sweep.now(database, BulkRetention.OPERATIONS);

        assertThat(bulks.find(Workspace.DEFAULT, old)).isEmpty();
        assertThat(bulks.find(Workspace.DEFAULT, recent)).isPresent();
    }

    private BulkId accept(int runs) {
        return accept(runs, new BulkAction.Change(new RunOperation.Cancel()));
    }

    private BulkId accept(int runs, BulkAction action) {
        NewBulk bulk = bulk(runs, action);
        assertThat(bulks.accept(bulk, RUNNING_MAX)).isEqualTo(BulkStore.Acceptance.ACCEPTED);
        return bulk.id();
    }

    private static NewBulk bulk(int runs, BulkAction action) {
        List<RunId> ids = IntStream.range(0, runs)
                .mapToObj(_ -> new RunId(UUID.randomUUID()))
                .toList();
        return new NewBulk(new BulkId(UUID.randomUUID()), Workspace.DEFAULT, action, NOTE, "fingerprint", ids);
    }

    private Bulk load(BulkId id) {
        return bulks.find(Workspace.DEFAULT, id).orElseThrow();
    }
}
