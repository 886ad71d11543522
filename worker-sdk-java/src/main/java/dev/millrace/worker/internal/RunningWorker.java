package dev.millrace.worker.internal;

import static java.util.Objects.requireNonNull;

import dev.millrace.worker.internal.connection.SchedulerLink;
import dev.millrace.worker.internal.session.JobEngine;
import dev.millrace.worker.internal.session.SessionClient;
import dev.millrace.worker.internal.session.SharedFolders;
import dev.millrace.worker.internal.session.WorkerIdentity;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A session and the engine that runs its jobs. When it stops, running jobs may end and their results are delivered. */
public final class RunningWorker implements AutoCloseable {
    /** Time for the scheduler to acknowledge the last results when the worker stops. */
    static final Duration SETTLE_TIMEOUT = Duration.ofSeconds(5);

    public static final String VERSION = version();

    private static final Logger logger = LoggerFactory.getLogger(RunningWorker.class);

    private final SchedulerLink link;
    private final SessionClient session;
    private final JobEngine engine;
    private final SharedFolders folders;
    private final Duration stopTimeout;
    private boolean closed;

    public RunningWorker(
            SchedulerLink link,
            WorkerIdentity identity,
            JobEngine engine,
            SharedFolders folders,
            Duration stopTimeout) {
        this.link = requireNonNull(link, "link");
        this.engine = requireNonNull(engine, "engine");
        this.stopTimeout = requireNonNull(stopTimeout, "stopTimeout");
        this.folders = requireNonNull(folders, "folders");
        this.session = new SessionClient(link.channel(), identity, engine, folders);
    }

    /** Begins to connect in the background and to take jobs. Must be called once only. */
    public void connect() {
        session.start();
    }

    public boolean awaitConnected(Duration timeout) throws InterruptedException {
        return session.awaitConnected(timeout);
    }

    /** Lets owners of the installation kill this worker, which calls the action. Call it before {@link #connect}. */
    public void obeyKill(Runnable action) {
        session.obeyKill(action);
    }

    /** Ends the session and all running jobs as a crash would. The scheduler learns only that the connection broke. */
    public synchronized void abandon() {
        if (closed) {
            return;
        }
        closed = true;
        session.abandon();
        engine.close();
        folders.close();
        link.close();
    }

    /** Stops taking jobs, lets running ones end within the stop timeout, delivers results and says goodbye. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            session.stopDemand();
            engine.drain();
            if (!engine.awaitIdle(stopTimeout)) {
                logger.warn("Some jobs did not end within the stop timeout; they go back to the queue.");
            }
            if (!session.awaitSettled(SETTLE_TIMEOUT)) {
                logger.warn("The scheduler has not acknowledged all results; those jobs run again elsewhere.");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            engine.close();
            session.close();
            folders.close();
            link.close();
        }
    }

    private static String version() {
        String version = RunningWorker.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }
}
