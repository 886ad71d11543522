package dev.millrace.scheduler.activity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.scheduler.activity.core.Activity;
import dev.millrace.scheduler.activity.core.ActivityMinute;
import dev.millrace.scheduler.queue.core.IdSource;
import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.JobKind;
import dev.millrace.scheduler.queue.core.JobOptions;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.Losses;
import dev.millrace.scheduler.queue.core.Outcome;
import dev.millrace.scheduler.queue.core.QueuedJob;
import dev.millrace.scheduler.queue.core.RetryPolicy;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.testing.MigratedDatabase;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ActivityCounterTest {
    private static final Workspace TEAM = Workspace.of("team");
    private static final Instant NOW = Instant.ofEpochSecond(1_000_000);
    private static final Outcome SUCCESS = new Outcome.Succeeded(new Json("1"));

    @RegisterExtension
    final MigratedDatabase database = new MigratedDatabase();

    private final IdSource ids = new IdSource(NOW::toEpochMilli, new Random(1));
    private final ActivityStore store = new ActivityStore(database.database());
    private final ActivityCounter one = counter(NOW.plusMillis(100));
    private final ActivityCounter other = counter(NOW.plusMillis(100));

    private ActivityCounter counter(Instant now) {
        return new ActivityCounter(store, InstantSource.fixed(now));
    }

    @Test
    void addsTheCountsOfAllSchedulers() {
        run(one, TEAM, "work", SUCCESS);
        run(one, TEAM, "work", new Outcome.Canceled(new JobError("Canceled", "", "", false, Optional.empty())));
        one.store();
        one.store();
        run(other, TEAM, "work", SUCCESS);
        run(other, Workspace.DEFAULT, "work", SUCCESS);
        other.store();

        Activity activity = all(TEAM);
        assertThat(activity.accepted()).isEqualTo(3);
        assertThat(activity.succeeded()).isEqualTo(2);
        assertThat(activity.canceled()).isOne();
        assertThat(activity.failed()).isZero();
        assertThat(activity.waits().jobs()).isEqualTo(3);
        assertThat(activity.waits().quantile(0.5).orElseThrow())
                .isBetween(Duration.ofMillis(100), Duration.ofMillis(120));
        assertThat(all(Workspace.DEFAULT).accepted()).isOne();
    }

    @Test
    void hasARowForEachMinuteAlsoWithoutActivity() {
        List<ActivityMinute> minutes = store.last(TEAM, 5);

        assertThat(minutes).extracting(ActivityMinute::activity).containsOnly(Activity.NONE);
        assertThat(minutes).hasSize(5);
        assertThat(Duration.between(
                        minutes.getFirst().start(), minutes.getLast().start()))
                .isEqualTo(Duration.ofMinutes(4));
    }

    @Test
    void leavesPreparationsOut() {
        QueuedJob packages = job(TEAM, JobKind.SCRIPT, "a.py (packages)");
        one.enqueued(packages);
        one.runEnded(packages.run(), Optional.of(packages), SUCCESS);
        one.store();

        assertThat(all(TEAM)).isEqualTo(Activity.NONE);
    }

    @Test
    void keepsCountsThatCannotBeStored() {
        run(one, TEAM, "work", SUCCESS);
        database.execute("alter table activity_minute rename to away");
        assertThatThrownBy(one::store).isInstanceOf(RuntimeException.class);
        database.execute("alter table away rename to activity_minute");

        one.close();

        assertThat(all(TEAM).succeeded()).isOne();
        assertThat(all(TEAM).waits().jobs()).isOne();
    }

    private void run(ActivityCounter counter, Workspace workspace, String name, Outcome outcome) {
        QueuedJob root = job(workspace, JobKind.HANDLER, name);
        counter.enqueued(root);
        counter.leased(root, true);
        counter.runEnded(root.run(), Optional.of(root), outcome);
    }

    private QueuedJob job(Workspace workspace, JobKind kind, String name) {
        RunId run = ids.nextRun();
        JobOptions options = new JobOptions("t", 0, Duration.ofMinutes(1), RetryPolicy.NONE);
        return new QueuedJob(run.rootJob(), run, workspace, kind, name, name, options, 1, 1, Losses.NONE, "");
    }

    /** What happened in the last two minutes, in case that a minute has just begun. */
    private Activity all(Workspace workspace) {
        return store.last(workspace, 2).stream().map(ActivityMinute::activity).reduce(Activity.NONE, Activity::plus);
    }
}
