package dev.millrace.flowtest.lease;

import dev.millrace.scheduler.queue.core.LeaseKey;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** One job, one worker and one scheduler, which perform one step at a time in the order that the explorer chooses. */
final class LeaseWorld {
    /**
     * Something that may happen next.
     *
     * @param name made only for a path that breaks a promise: it describes states
     */
    record Step(Supplier<String> name, Runnable action) {}

    private final Scope scope;
    private final List<LeaseKey> leases;
    private final WorkerModel worker;
    private final SchedulerModel scheduler;
    private final List<LeaseStream> streams = new ArrayList<>();
    private int claims;
    private int cuts;
    private int cancels;
    private int resyncs;
    private int returns;

    LeaseWorld(Scope scope, Guards guards) {
        this.scope = scope;
        leases = IntStream.rangeClosed(1, scope.claims())
                .mapToObj(SchedulerModel::lease)
                .toList();
        worker = new WorkerModel(guards);
        streams.add(worker.stream);
        scheduler = new SchedulerModel(scope, guards, worker.stream);
    }

    /** Everything that may happen next, in an order that depends on the state alone. */
    List<Step> steps() {
        List<Step> steps = new ArrayList<>(progress());
        worker.running().ifPresent(lease -> steps.add(new Step(() -> "the job ends", () -> worker.finish(lease))));
        worker.waiting()
                .filter(_ -> returns < scope.returns())
                .ifPresent(lease -> steps.add(new Step(() -> "the worker returns the job", () -> {
                    returns++;
                    worker.giveBack(lease);
                })));
        if (claims < scope.claims() && scheduler.isQueued()) {
            steps.add(new Step(() -> "the first lane is to claim the job", () -> claim(scheduler.first)));
            steps.add(new Step(() -> "the second lane is to claim the job", () -> claim(scheduler.second)));
        }
        if (cancels < scope.cancels() && scheduler.isClaimed()) {
            steps.add(new Step(() -> "somebody cancels the run", () -> {
                cancels++;
                scheduler.cancelRun();
            }));
        }
        if (resyncs < scope.resyncs() && scheduler.isClaimed()) {
            steps.add(new Step(() -> "a resync is asked for", () -> {
                resyncs++;
                scheduler.first.inbox.add(scheduler.new Resync(List.of()));
            }));
        }
        if (cuts < scope.cuts() && !worker.stream.isCut && scheduler.isClaimed()) {
            steps.add(new Step(() -> "the stream is cut", () -> {
                cut();
                worker.stream.up.clear();
            }));
            steps.add(new Step(() -> "the stream is cut, and what the worker has sent arrives late", this::cut));
        }
        return steps;
    }

    /** The steps that happen sooner or later if nobody interferes. */
    private List<Step> progress() {
        List<Step> steps = new ArrayList<>();
        if (!scheduler.first.isIdle()) {
            steps.add(new Step(
                    () -> "first lane: " + scheduler.first.inbox.element().digest(), scheduler.first::step));
        }
        if (!scheduler.second.isIdle()) {
            steps.add(new Step(
                    () -> "second lane: " + scheduler.second.inbox.element().digest(), scheduler.second::step));
        }
        if (!worker.stream.down.isEmpty()) {
            steps.add(new Step(() -> "the worker receives " + worker.stream.down.element(), worker::receive));
        }
        for (LeaseStream stream : streams) {
            if (!stream.up.isEmpty()) {
                steps.add(new Step(
                        () -> "the scheduler receives " + stream.up.element() + " of stream " + stream.number,
                        () -> scheduler.receive(stream)));
            }
        }
        if (worker.stream.isCut) {
            steps.add(new Step(() -> "the worker connects again", () -> {
                worker.reconnect();
                streams.add(worker.stream);
            }));
        }
        worker.waiting().ifPresent(lease -> steps.add(new Step(() -> "the job begins", () -> worker.begin(lease))));
        return steps;
    }

    private void claim(SchedulerModel.Lane lane) {
        claims++;
        lane.inbox.add(scheduler.new Claim());
    }

    private void cut() {
        cuts++;
        worker.stream.isCut = true;
        worker.stream.down.clear();
    }

    /** Lets everything come to rest, and checks that memory, database and worker agree then. */
    void settleDown() {
        rest();
        for (int look = 0; look < 2; look++) {
            scheduler.compare();
            rest();
        }
        List<LeaseKey> real = scheduler.leased().stream().toList();
        if (!scheduler.known().equals(real)) {
            throw new BrokenPromise("memory has " + scheduler.known() + ", the database " + real);
        }
        if (!worker.held().equals(real)) {
            throw new BrokenPromise("the worker holds " + worker.held() + ", the database has leased " + real);
        }
    }

    private void rest() {
        for (List<Step> steps = progress(); !steps.isEmpty(); steps = progress()) {
            steps.getFirst().action().run();
        }
    }

    String digest() {
        StringBuilder digest = new StringBuilder()
                .append(claims)
                .append(cuts)
                .append(cancels)
                .append(resyncs)
                .append(returns)
                .append(scheduler.digest())
                .append(worker.digest(leases));
        streams.forEach(stream -> digest.append(stream.digest(leases)));
        return digest.toString();
    }
}
