package dev.millrace.e2e.storm;

import dev.millrace.harness.Cluster;
import dev.millrace.harness.EmbeddedServer;
import dev.millrace.harness.Postgres;
import dev.millrace.harness.ServiceProcess;
import dev.millrace.harness.TcpProxy;
import dev.millrace.harness.TcpProxy.Flow;
import java.sql.SQLException;
import java.util.concurrent.locks.LockSupport;

/** Faults of a storm. Each leaves every part running or starting. */
enum Strike {
    KILL_SCHEDULER,
    FREEZE_SCHEDULER,
    STOP_SCHEDULER,
    KILL_WORKER,
    FREEZE_WORKER,
    STOP_WORKER,
    KILL_GATEWAY,
    KILL_SCHEDULER_AND_WORKER,
    KILL_ALL_SCHEDULERS,
    KILL_POSTGRES,
    END_CONNECTIONS,
    END_ALL_CONNECTIONS,
    /** Nothing arrives in either direction for a while; then all of it does. */
    SILENCE_WORKER,
    /** Nothing arrives for a while; then the data in transit is lost with the connection. */
    SILENCE_AND_CUT_WORKER,
    CUT_WORKER,
    /** Connections stay open but pass nothing; new ones go to another scheduler. */
    HALF_OPEN_AND_MOVE_WORKER,
    CUT_AND_MOVE_WORKER,
    SILENCE_ALL_WORKERS,
    SILENCE_GATEWAY,
    SILENCE_AND_CUT_GATEWAY,
    CUT_AND_MOVE_GATEWAY;

    static final int SCHEDULERS = 3;
    static final int WORKERS = 3;
    /** Share of the connections to end in a strike that does not end all. */
    private static final double CONNECTIONS_ENDED = 0.3;

    private static final long NANOS_PER_MILLI = 1_000_000;

    /** The parts that a storm can hit. */
    record Field(Cluster cluster, EmbeddedServer server, Postgres postgres) {}

    /**
     * Strikes, and returns once all parts run or are starting.
     *
     * @param target number that selects the process to hit
     */
    void hit(Field field, int target, long lengthMillis) {
        Cluster cluster = field.cluster;
        ServiceProcess scheduler = cluster.scheduler(target % SCHEDULERS);
        ServiceProcess worker = cluster.worker(target / SCHEDULERS % WORKERS);
        TcpProxy workerWire = cluster.workerWire(target / SCHEDULERS % WORKERS);
        TcpProxy gatewayWire = cluster.gatewayWire();
        int schedulerPort = cluster.schedulerPort(target % SCHEDULERS);
        switch (this) {
            case KILL_SCHEDULER -> killAndStart(lengthMillis, scheduler);
            case FREEZE_SCHEDULER -> freeze(lengthMillis, scheduler);
            case STOP_SCHEDULER -> stopAndStart(scheduler);
            case KILL_WORKER -> killAndStart(lengthMillis, worker);
            case FREEZE_WORKER -> freeze(lengthMillis, worker);
            case STOP_WORKER -> stopAndStart(worker);
            case KILL_GATEWAY -> killAndStart(0, cluster.gateway());
            case KILL_SCHEDULER_AND_WORKER -> killAndStart(lengthMillis, scheduler, worker);
            case KILL_ALL_SCHEDULERS ->
                killAndStart(lengthMillis, cluster.scheduler(0), cluster.scheduler(1), cluster.scheduler(2));
            case KILL_POSTGRES -> {
                field.server.kill();
                pause(lengthMillis);
                field.server.restart();
            }
            case END_CONNECTIONS -> endConnections(field, CONNECTIONS_ENDED);
            case END_ALL_CONNECTIONS -> endConnections(field, 1);
            case SILENCE_WORKER -> silence(lengthMillis, workerWire);
            case SILENCE_AND_CUT_WORKER -> silenceAndCut(lengthMillis, workerWire);
            case CUT_WORKER -> workerWire.reset();
            case HALF_OPEN_AND_MOVE_WORKER -> {
                workerWire.retarget(schedulerPort);
                workerWire.silenceOpenConnections();
            }
            case CUT_AND_MOVE_WORKER -> cutAndMove(workerWire, schedulerPort);
            case SILENCE_ALL_WORKERS ->
                silence(lengthMillis, cluster.workerWire(0), cluster.workerWire(1), cluster.workerWire(2));
            case SILENCE_GATEWAY -> silence(lengthMillis, gatewayWire);
            case SILENCE_AND_CUT_GATEWAY -> silenceAndCut(lengthMillis, gatewayWire);
            case CUT_AND_MOVE_GATEWAY -> cutAndMove(gatewayWire, schedulerPort);
        }
    }

    private static void killAndStart(long lengthMillis, ServiceProcess... processes) {
        for (ServiceProcess process : processes) {
            process.kill();
        }
        pause(lengthMillis);
        for (ServiceProcess process : processes) {
            process.start();
        }
    }

    private static void freeze(long lengthMillis, ServiceProcess process) {
        process.signal("STOP");
        pause(lengthMillis);
        process.signal("CONT");
    }

    private static void stopAndStart(ServiceProcess process) {
        process.terminate();
        process.start();
    }

    private static void silence(long lengthMillis, TcpProxy... wires) {
        for (TcpProxy wire : wires) {
            wire.set(Flow.HOLD);
        }
        pause(lengthMillis);
        for (TcpProxy wire : wires) {
            wire.set(Flow.PASS);
        }
    }

    private static void silenceAndCut(long lengthMillis, TcpProxy wire) {
        wire.set(Flow.HOLD);
        pause(lengthMillis);
        wire.reset();
        wire.set(Flow.PASS);
    }

    private static void cutAndMove(TcpProxy wire, int schedulerPort) {
        wire.retarget(schedulerPort);
        wire.reset();
    }

    private static void endConnections(Field field, double share) {
        try (var connection = field.postgres.connect();
                var end = connection.prepareStatement("select pg_terminate_backend(pid) from pg_stat_activity"
                        + " where datname = current_database() and pid <> pg_backend_pid() and random() < ?")) {
            end.setDouble(1, share);
            end.execute();
        } catch (SQLException e) {
            throw new IllegalStateException("Connections cannot be ended.", e);
        }
    }

    /** Waits as long as the fault's plan says. */
    private static void pause(long millis) {
        long end = System.nanoTime() + millis * NANOS_PER_MILLI;
        for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
