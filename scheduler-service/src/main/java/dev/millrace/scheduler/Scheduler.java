package dev.millrace.scheduler;

import dev.millrace.scheduler.config.SchedulerConfig;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.flow.FlowCatalog;
import dev.millrace.scheduler.flow.FlowGrpcService;
import dev.millrace.scheduler.flow.FlowScripts;
import dev.millrace.scheduler.flow.FlowStore;
import dev.millrace.scheduler.flow.Flows;
import dev.millrace.scheduler.flow.core.Defaults;
import dev.millrace.scheduler.log.LogStore;
import dev.millrace.scheduler.log.LogWriter;
import dev.millrace.scheduler.queue.RunEvents;
import dev.millrace.scheduler.rpc.GrpcServer;
import dev.millrace.scheduler.runtime.WallClock;
import dev.millrace.scheduler.script.ScriptGrpcService;
import dev.millrace.scheduler.script.ScriptStore;
import dev.millrace.scheduler.script.Scripts;
import io.grpc.BindableService;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One scheduler: everything it consists of, started and stopped in order. Any number of them may share a database. */
public final class Scheduler implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Scheduler.class);

    private final Database database;
    private final LogWriter logWriter;
    private final Engine engine;
    private final GrpcServer server;
    private final AtomicBoolean closed = new AtomicBoolean();

    private Scheduler(Database database, LogWriter logWriter, Engine engine, GrpcServer server) {
        this.database = database;
        this.logWriter = logWriter;
        this.engine = engine;
        this.server = server;
    }

    /** Connects, migrates and starts to listen. Fails with a sentence that says what to do. */
    public static Scheduler start(SchedulerConfig config) {
        Database database = Database.open(config.database());
        try {
            return start(config, database);
        } catch (RuntimeException failure) {
            database.close();
            throw failure;
        }
    }

    private static Scheduler start(SchedulerConfig config, Database database) {
        RunEvents events = new RunEvents();
        LogWriter logWriter = LogWriter.start(new LogStore(database), events, WallClock.micros());
        Scripts scripts = new Scripts(new ScriptStore(database));
        FlowStore flowStore = new FlowStore(database);
        Flows flows = new Flows(flowStore, new FlowScripts(scripts));
        FlowCatalog catalog =
                new FlowCatalog(flowStore, new Defaults(config.job().timeoutDefault()));
        Engine engine = Engine.start(config, database, events, logWriter, catalog::model);
        List<BindableService> services = new ArrayList<>(engine.services());
        services.add(new ScriptGrpcService(scripts, config.limit()));
        services.add(new FlowGrpcService(flows, config.limit()));
        GrpcServer server = GrpcServer.start(config.grpc(), services, () -> engine.isReady() && database.answers());
        log.atInfo()
                .addKeyValue("port", server.port())
                .addKeyValue("database", config.database().location().describe())
                .log("The scheduler is ready");
        return new Scheduler(database, logWriter, engine, server);
    }

    /** The port on which gRPC is served. */
    public int port() {
        return server.port();
    }

    /** Stops in an order that loses nothing: no new calls, then no more changes, then no more connections. */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        server.drain();
        engine.drain();
        server.close();
        engine.close();
        logWriter.close();
        database.close();
        log.info("The scheduler has stopped");
    }
}
