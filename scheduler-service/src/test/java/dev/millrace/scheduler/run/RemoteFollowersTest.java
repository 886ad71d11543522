package dev.millrace.scheduler.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.queue.RunEvents;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.runtime.EventBus;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class RemoteFollowersTest {
    private static final RunId RUN = new RunId(new UUID(1, 1));
    private static final RunId OTHER = new RunId(new UUID(1, 2));

    private long nanos;
    private final Side here = new Side();
    private final Side there = new Side();
    private final List<RunId> woken = new ArrayList<>();

    /** A scheduler, of which the messages reach the other one only when the test passes them on. */
    private final class Side {
        final RunEvents events = new RunEvents();
        final List<Object> sent = new ArrayList<>();
        final RemoteFollowers followers;

        Side() {
            EventBus bus = new EventBus();
            bus.subscribe(RemoteFollowers.Followed.class, sent::add);
            bus.subscribe(RemoteFollowers.Changed.class, sent::add);
            bus.subscribe(RemoteFollowers.Asked.class, sent::add);
            followers = new RemoteFollowers(events, bus, () -> nanos);
            events.announceTo(followers);
        }

        /** Sends what has gathered, and passes it on. */
        void tell(Side other) {
            followers.tell();
            pass(other);
        }

        private void pass(Side other) {
            for (Object message : List.copyOf(sent)) {
                switch (message) {
                    case RemoteFollowers.Followed followed -> other.followers.followedElsewhere(followed.runs());
                    case RemoteFollowers.Changed changed -> other.followers.changedElsewhere(changed.runs());
                    default -> other.followers.announce();
                }
            }
            sent.clear();
        }
    }

    private RunEvents.Subscription follow(RunId run) {
        return here.events.subscribe(run, () -> woken.add(run));
    }

    private void changeThere(RunId run) {
        there.events.changed(run);
        there.tell(here);
    }

    @Test
    void wakesAFollowerOfARunThatAnotherSchedulerChanges() {
        var _ = follow(RUN);
        here.tell(there);

        there.events.changed(RUN);
        there.events.changed(RUN);
        changeThere(OTHER);

        assertThat(woken).containsExactly(RUN);
    }

    @Test
    void tellsNobodyOfRunsThatNobodyFollowsElsewhere() {
        var _ = follow(RUN);

        here.events.changed(RUN);
        there.events.changed(OTHER);
        there.followers.tell();
        here.followers.tell();

        assertThat(there.sent).isEmpty();
        assertThat(here.sent).containsExactly(new RemoteFollowers.Followed(List.of(RUN)));
    }

    @Test
    void announcesWhatIsFollowedFromTimeToTime() {
        var _ = follow(RUN);
        here.tell(there);
        for (int times = 0; times < 4; times++) {
            nanos += RemoteFollowers.ANNOUNCE_INTERVAL.toNanos();
            here.tell(there);
        }

        changeThere(RUN);

        assertThat(woken).containsExactly(RUN);
    }

    @Test
    void forgetsARunThatIsNotFollowedAnyMore() {
        follow(RUN).close();
        here.tell(there);
        nanos += RemoteFollowers.FORGET_AFTER.toNanos() + 1;
        there.followers.tell();

        there.events.changed(RUN);
        there.followers.tell();

        assertThat(there.sent).isEmpty();
    }

    @Test
    void looksAtOnceWhenMessagesMayHaveBeenLost() {
        var _ = follow(RUN);

        here.followers.heal();

        assertThat(woken).containsExactly(RUN);
    }

    @Test
    void learnsWhatIsFollowedElsewhereWhenItStarts() {
        var _ = follow(RUN);
        here.followers.tell();
        here.sent.clear();

        there.followers.heal();
        there.pass(here);
        here.tell(there);
        changeThere(RUN);

        assertThat(woken).containsExactly(RUN);
    }

    @Test
    void splitsLargeMessages() {
        for (int i = 0; i <= RemoteFollowers.RUNS_A_MESSAGE; i++) {
            var _ = follow(new RunId(new UUID(2, i)));
        }

        here.followers.tell();

        assertThat(here.sent).hasSize(2);
    }
}
