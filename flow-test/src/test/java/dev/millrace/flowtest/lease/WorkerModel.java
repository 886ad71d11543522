package dev.millrace.flowtest.lease;

import dev.millrace.scheduler.queue.core.LeaseKey;
import dev.millrace.worker.internal.session.core.HeldLeases;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A worker with room for any number of jobs. It runs what its session lets begin. */
final class WorkerModel {
    enum Phase {
        WAITING,
        RUNNING,
        ENDED,
        RETURNED
    }

    private final Guards guards;
    private final HeldLeases<LeaseKey, LeaseKey> session = new HeldLeases<>();
    private final Map<LeaseKey, Phase> phases = new LinkedHashMap<>();
    private int begun;
    LeaseStream stream;

    WorkerModel(Guards guards) {
        this.guards = guards;
        this.stream = new LeaseStream(0, List.of(), guards.areInScheduler());
    }

    void receive() {
        LeaseStream.Down message = stream.down.remove();
        switch (message) {
            case LeaseStream.Lease(LeaseKey lease) -> {
                if (session.arrival(lease) == HeldLeases.Arrival.NEW) {
                    session.hold(lease, lease);
                    phases.put(lease, Phase.WAITING);
                }
            }
            case LeaseStream.Ack(LeaseKey lease) -> end(lease);
            case LeaseStream.Cancel(LeaseKey lease) -> end(lease);
        }
    }

    private void end(LeaseKey lease) {
        session.end(lease);
        if (!guards.worker()) {
            session.forgetEnded();
        }
        phases.remove(lease);
    }

    Optional<LeaseKey> waiting() {
        return in(Phase.WAITING);
    }

    Optional<LeaseKey> running() {
        return in(Phase.RUNNING);
    }

    private Optional<LeaseKey> in(Phase phase) {
        return phases.entrySet().stream()
                .filter(entry -> entry.getValue() == phase)
                .map(Map.Entry::getKey)
                .findFirst();
    }

    void begin(LeaseKey lease) {
        phases.put(lease, Phase.RUNNING);
        begun++;
        if (begun > 1) {
            throw new BrokenPromise("the attempt began twice");
        }
    }

    void finish(LeaseKey lease) {
        phases.put(lease, Phase.ENDED);
        send(new LeaseStream.Result(lease, false));
    }

    void giveBack(LeaseKey lease) {
        phases.put(lease, Phase.RETURNED);
        send(new LeaseStream.Result(lease, true));
    }

    private void send(LeaseStream.Result result) {
        if (!stream.isCut) {
            stream.up.add(result);
        }
    }

    boolean holds(LeaseKey lease) {
        return session.arrival(lease) == HeldLeases.Arrival.HELD;
    }

    List<LeaseKey> held() {
        return session.leases();
    }

    /** Opens the next stream: names what it holds, and sends again what was not acknowledged. */
    void reconnect() {
        stream = new LeaseStream(stream.number + 1, session.leases(), guards.areInScheduler());
        stream.up.add(new LeaseStream.Hello(session.leases()));
        phases.forEach((lease, phase) -> {
            if (phase == Phase.ENDED || phase == Phase.RETURNED) {
                send(new LeaseStream.Result(lease, phase == Phase.RETURNED));
            }
        });
    }

    String digest(List<LeaseKey> leases) {
        StringBuilder digest = new StringBuilder().append(begun).append(stream.number);
        leases.forEach(lease -> digest.append(session.arrival(lease)).append(phases.get(lease)));
        return digest.toString();
    }
}
