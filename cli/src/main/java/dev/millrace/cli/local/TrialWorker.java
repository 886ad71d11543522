package dev.millrace.cli.local;

import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A worker that people may kill to see that nothing is lost: it breaks its connection, kills its processes, and another
 * worker takes its place, as a supervisor would restart it. Thread-safe.
 */
final class TrialWorker implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(TrialWorker.class);

    private final Supplier<ReadyMadeWorker> maker;
    private final WorkerMetrics metrics;
    private ReadyMadeWorker worker;
    private boolean isClosed;

    private TrialWorker(Supplier<ReadyMadeWorker> maker, WorkerMetrics metrics) {
        this.maker = maker;
        this.metrics = metrics;
        this.worker = prepared();
    }

    /** Does all that needs no scheduler; {@link #connect} does the rest. */
    static TrialWorker prepare(Supplier<ReadyMadeWorker> maker, WorkerMetrics metrics) {
        return new TrialWorker(maker, metrics);
    }

    private ReadyMadeWorker prepared() {
        ReadyMadeWorker made = maker.get();
        made.measure(metrics);
        made.obeyKill(this::replace);
        return made;
    }

    /** Connects in the background and begins to take jobs. */
    synchronized ReadyMadeWorker connect() {
        worker.connect();
        return worker;
    }

    private synchronized void replace() {
        if (isClosed) {
            return;
        }
        log.warn("The worker is killed, as somebody asked; another one takes its place.");
        worker.abandon();
        try {
            worker = prepared();
            worker.connect();
        } catch (RuntimeException failure) {
            log.atError()
                    .setCause(failure)
                    .log("No other worker could be started: stop and start this program to have one again");
        }
    }

    @Override
    public synchronized void close() {
        isClosed = true;
        worker.close();
    }
}
