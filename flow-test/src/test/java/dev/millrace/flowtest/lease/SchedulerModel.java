package dev.millrace.flowtest.lease;

import dev.millrace.scheduler.queue.LeasedJob;
import dev.millrace.scheduler.queue.Leases;
import dev.millrace.scheduler.queue.SlotRef;
import dev.millrace.scheduler.queue.core.JobKind;
import dev.millrace.scheduler.queue.core.JobOptions;
import dev.millrace.scheduler.queue.core.LeaseKey;
import dev.millrace.scheduler.queue.core.LeaseToken;
import dev.millrace.scheduler.queue.core.Losses;
import dev.millrace.scheduler.queue.core.QueuedJob;
import dev.millrace.scheduler.queue.core.RetryPolicy;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.SessionId;
import dev.millrace.scheduler.queue.core.Workspace;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A scheduler with two lanes, its database with one job, and the session of one worker. */
final class SchedulerModel {
    private static final RunId RUN = new RunId(new UUID(0x0192_f0c1_0000_7000L, 0x8000_0000_0000_0001L));
    private static final SlotRef SLOT = new SlotRef(new SessionId(new UUID(0, 1)), "all");
    private static final QueuedJob JOB = new QueuedJob(
            RUN.rootJob(),
            RUN,
            Workspace.DEFAULT,
            JobKind.HANDLER,
            "h",
            "h",
            new JobOptions("handler:h", 0, Duration.ofMinutes(1), RetryPolicy.NONE),
            1,
            1,
            Losses.NONE,
            "");

    static LeaseKey lease(int token) {
        return new LeaseKey(JOB.id(), new LeaseToken(token));
    }

    /** What a lane does in several steps, between which others act. */
    abstract static class Command {
        int at;

        /** Performs the next step; false after the last one. */
        abstract boolean step();

        abstract String locals();

        String digest() {
            return getClass().getSimpleName() + at + locals();
        }
    }

    static final class Lane {
        final Deque<Command> inbox = new ArrayDeque<>();

        boolean isIdle() {
            return inbox.isEmpty();
        }

        void step() {
            Command first = inbox.element();
            boolean goesOn = first.step();
            first.at++;
            if (!goesOn) {
                inbox.remove();
            }
        }

        String digest() {
            StringBuilder digest = new StringBuilder();
            inbox.forEach(command -> digest.append(command.digest()));
            return digest.toString();
        }
    }

    private final Scope scope;
    private final Guards guards;
    private final Leases leases = new Leases();
    /** For digests: what the open views have noted. */
    private final List<Set<Long>> open = new ArrayList<>();

    final Lane first = new Lane();
    final Lane second = new Lane();
    private LeaseStream stream;

    private boolean isQueued = true;
    private @Nullable LeaseKey leased;
    private int tokens;

    SchedulerModel(Scope scope, Guards guards, LeaseStream stream) {
        this.scope = scope;
        this.guards = guards;
        this.stream = stream;
    }

    boolean isQueued() {
        return isQueued;
    }

    Optional<LeaseKey> leased() {
        return Optional.ofNullable(leased);
    }

    boolean isClaimed() {
        return tokens > 0;
    }

    void receive(LeaseStream from) {
        switch (from.up.remove()) {
            case LeaseStream.Hello(List<LeaseKey> named) -> {
                // The stream before ends, also if its worker opened it later.
                stream.isCut |= stream != from;
                stream = from;
                first.inbox.add(new Resync(named));
            }
            case LeaseStream.Result(LeaseKey lease, boolean isReturned) ->
                home().inbox.add(new Settle(lease, isReturned, from));
        }
    }

    void cancelRun() {
        home().inbox.add(new CancelRun());
    }

    /** The lane to which the job belongs. */
    private Lane home() {
        return scope.isOfFirstLane() ? first : second;
    }

    private void end(LeaseKey lease) {
        open.forEach(ended -> ended.add(lease.token().value()));
        var _ = leases.end(lease);
    }

    private final class View {
        private final Leases.View view = leases.view();
        private final Set<Long> ended = new TreeSet<>();

        View() {
            open.add(ended);
        }

        Leases.Addition add(LeaseKey lease) {
            LeasedJob job = new LeasedJob(JOB, SLOT, lease.token());
            if (guards.views()) {
                return view.add(job);
            }
            try (Leases.View late = leases.view()) {
                return late.add(job);
            }
        }

        void close() {
            view.close();
            open.removeIf(other -> other == ended);
        }
    }

    private boolean isHeld(LeaseKey lease) {
        return !guards.streams() || leases.holds(lease);
    }

    /** A lane claims the job for the worker. */
    final class Claim extends Command {
        private @Nullable View view;
        private @Nullable LeaseKey lease;

        @Override
        boolean step() {
            switch (at) {
                case 0 -> {
                    if (!isQueued) {
                        return false;
                    }
                    view = new View();
                    isQueued = false;
                    lease = lease(++tokens);
                    leased = lease;
                    return true;
                }
                case 1 -> {
                    if (opened(view).add(claimed()) == Leases.Addition.ENDED) {
                        opened(view).close();
                        return false;
                    }
                    return true;
                }
                default -> {
                    stream.deliver(claimed(), SchedulerModel.this::isHeld);
                    opened(view).close();
                    return false;
                }
            }
        }

        private LeaseKey claimed() {
            if (lease == null) {
                throw new IllegalStateException("nothing is claimed");
            }
            return lease;
        }

        @Override
        String locals() {
            return view == null ? "" : tokenOf(lease) + view.ended;
        }
    }

    /** A lane records how a job ended. */
    private final class Settle extends Command {
        private final LeaseKey lease;
        private final boolean isReturned;
        private final LeaseStream from;
        private boolean isSettled;

        Settle(LeaseKey lease, boolean isReturned, LeaseStream from) {
            this.lease = lease;
            this.isReturned = isReturned;
            this.from = from;
        }

        @Override
        boolean step() {
            switch (at) {
                case 0 -> {
                    isSettled = lease.equals(leased);
                    if (isSettled) {
                        leased = null;
                        isQueued = isReturned;
                    }
                    return true;
                }
                case 1 -> {
                    if (isSettled) {
                        end(lease);
                    }
                    return true;
                }
                default -> {
                    from.end(new LeaseStream.Ack(lease));
                    return false;
                }
            }
        }

        @Override
        String locals() {
            return tokenOf(lease) + isReturned + isSettled + from.number;
        }
    }

    /** A lane cancels the run of the job. */
    private final class CancelRun extends Command {
        private @Nullable LeaseKey canceled;

        @Override
        boolean step() {
            LeaseKey lease = canceled;
            switch (at) {
                case 0 -> {
                    canceled = leased;
                    leased = null;
                    isQueued = false;
                    return canceled != null;
                }
                case 1 -> {
                    if (lease != null) {
                        end(lease);
                    }
                    return true;
                }
                default -> {
                    if (lease != null) {
                        stream.end(new LeaseStream.Cancel(lease));
                    }
                    return false;
                }
            }
        }

        @Override
        String locals() {
            return tokenOf(canceled);
        }
    }

    /** A lane compares the leases, also for a worker that has resumed its session. */
    final class Resync extends Command {
        private final List<LeaseKey> named;
        private List<LeasedJob> believed = List.of();
        private @Nullable View view;
        private @Nullable LeaseKey real;
        private LeaseStream receiver = stream;

        Resync(List<LeaseKey> named) {
            this.named = named;
        }

        @Override
        boolean step() {
            LeaseKey found = real;
            switch (at) {
                case 0 -> {
                    receiver = stream;
                    believed = leases.of(SLOT.session());
                    view = new View();
                }
                case 1 -> real = leased;
                case 2 -> {
                    if (found != null && opened(view).add(found) == Leases.Addition.ENDED) {
                        real = null;
                    }
                }
                case 3 -> {
                    if (found != null) {
                        receiver.deliver(found, SchedulerModel.this::isHeld);
                    }
                    opened(view).close();
                }
                case 4 -> {
                    for (LeasedJob lease : believed) {
                        if (!lease.key().equals(found) && leases.holds(lease.key())) {
                            end(lease.key());
                            receiver.end(new LeaseStream.Cancel(lease.key()));
                        }
                    }
                    return !named.isEmpty();
                }
                default -> {
                    named.stream()
                            .filter(lease -> !lease.equals(leased))
                            .forEach(lease -> receiver.end(new LeaseStream.Cancel(lease)));
                    return false;
                }
            }
            return true;
        }

        @Override
        String locals() {
            return named + believed.toString() + (view == null ? "" : view.ended) + tokenOf(real) + receiver.number;
        }
    }

    /** Heals what differs from the database in two looks, as the keeper of the sessions does; nothing else acts meanwhile. */
    void compare() {
        for (LeasedJob lease : leases.of(SLOT.session())) {
            if (!lease.key().equals(leased)) {
                end(lease.key());
                stream.end(new LeaseStream.Cancel(lease.key()));
            }
        }
        if (leased != null && !(leases.holds(leased) && stream.knows(leased))) {
            first.inbox.add(new Resync(List.of()));
        }
    }

    List<LeaseKey> known() {
        return leases.of(SLOT.session()).stream().map(LeasedJob::key).toList();
    }

    String digest() {
        return isQueued + tokenOf(leased) + tokens + known() + open + first.digest() + "/" + second.digest()
                + stream.number;
    }

    private static View opened(@Nullable View view) {
        if (view == null) {
            throw new IllegalStateException("the view is not open");
        }
        return view;
    }

    private static String tokenOf(@Nullable LeaseKey lease) {
        return lease == null ? "-" : Long.toString(lease.token().value());
    }
}
