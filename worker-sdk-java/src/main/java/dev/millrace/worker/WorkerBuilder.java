package dev.millrace.worker;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.proto.worker.v1.SlotGroup;
import dev.millrace.worker.internal.RunningWorker;
import dev.millrace.worker.internal.connection.MachineName;
import dev.millrace.worker.internal.connection.SchedulerLink;
import dev.millrace.worker.internal.handler.HandlerEngine;
import dev.millrace.worker.internal.handler.HandlerGroup;
import dev.millrace.worker.internal.jobapi.JobApiClient;
import dev.millrace.worker.internal.session.SharedFolders;
import dev.millrace.worker.internal.session.WorkerIdentity;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Configures a worker; {@link #start} connects it. Not thread-safe. */
public final class WorkerBuilder {
    /** Upper limit of a worker's slots, and of its prefetched jobs. */
    public static final int SLOTS_MAX = 10_000;

    /** Parent of the folders that jobs of a group share. */
    private static final Path SHARED_FOLDERS = Path.of(System.getProperty("java.io.tmpdir"), "millrace-shared");

    private final String target;
    private final Map<String, JobHandler> handlers = new LinkedHashMap<>();
    private final Map<String, String> labels = new LinkedHashMap<>();
    private String name = MachineName.find();
    private int slots = Runtime.getRuntime().availableProcessors();
    private int prefetch = 2 * slots;
    private Duration stopTimeout = Duration.ofSeconds(30);
    private ObjectMapper json = HandlerGroup.json();
    private SchedulerAccess access = SchedulerAccess.LOCAL;

    WorkerBuilder(String target) {
        this.target = requireNonNull(target, "target");
    }

    /** Uses TLS; by default the connection is plain text. */
    public WorkerBuilder tls(Tls tls) {
        return access(new SchedulerAccess(Optional.of(tls), access.token(), access.isPlaintextAllowed()));
    }

    /** Shows a token in all calls. */
    public WorkerBuilder token(String token) {
        return access(new SchedulerAccess(access.tls(), WorkerToken.of(token), access.isPlaintextAllowed()));
    }

    /** Shows the token on the first line of a file, and reads the file again once the scheduler refuses the token. */
    public WorkerBuilder tokenFile(Path file) {
        return access(new SchedulerAccess(access.tls(), WorkerToken.inFile(file), access.isPlaintextAllowed()));
    }

    /** Lets the token leave the machine in plain text, because something else encrypts the connection. */
    public WorkerBuilder allowPlaintext() {
        return access(new SchedulerAccess(access.tls(), access.token(), true));
    }

    /** Sets token and TLS at once. */
    public WorkerBuilder access(SchedulerAccess value) {
        this.access = requireNonNull(value, "value");
        return this;
    }

    /** Sets the name of the worker, for people; by default the machine's name. */
    public WorkerBuilder name(String workerName) {
        this.name = requireNonNull(workerName, "workerName");
        return this;
    }

    /** Adds a free label, for people. */
    public WorkerBuilder label(String key, String value) {
        labels.put(key, value);
        return this;
    }

    /** Sets how many jobs may run at once, each on its own thread; by default the number of processors. */
    public WorkerBuilder slots(int count) {
        this.slots = checkCount("slots", count, 1);
        return this;
    }

    /**
     * Sets how many further jobs may wait on the worker; by default twice the number of processors. If no job ends for
     * a second, waiting jobs return to the queue for other workers. None wait again until a job ends faster than that.
     */
    public WorkerBuilder prefetch(int count) {
        this.prefetch = checkCount("prefetch", count, 0);
        return this;
    }

    /** Sets how long {@link Worker#close} lets running jobs end; by default 30 seconds. */
    public WorkerBuilder stopTimeout(Duration timeout) {
        this.stopTimeout = requireNonNull(timeout, "timeout");
        return this;
    }

    /** Sets the mapper that reads inputs and writes results. */
    public WorkerBuilder objectMapper(ObjectMapper mapper) {
        this.json = requireNonNull(mapper, "mapper");
        return this;
    }

    /** Registers the handler for jobs of this name. Throws if the name is registered already. */
    public WorkerBuilder handle(String handlerName, JobHandler handler) {
        requireNonNull(handler, "handler");
        if (handlers.putIfAbsent(requireNonNull(handlerName, "handlerName"), handler) != null) {
            throw new IllegalArgumentException("The handler \"" + handlerName + "\" is registered twice.");
        }
        return this;
    }

    /**
     * Connects in the background and begins to take jobs.
     *
     * @throws IllegalArgumentException if the token or a certificate cannot be read, or if the token would leave the
     *     machine in plain text
     */
    public Worker start() {
        if (handlers.isEmpty()) {
            throw new IllegalStateException("The worker has no handlers: call handle(name, handler) before start().");
        }
        SlotGroup group = HandlerGroup.of(handlers.keySet(), slots, prefetch);
        Map<String, String> runtimes = Map.of("java", Runtime.version().toString());
        WorkerIdentity identity = new WorkerIdentity(name, RunningWorker.VERSION, runtimes, labels, List.of(group));
        SchedulerLink link = SchedulerLink.open(target, access);
        HandlerEngine engine =
                new HandlerEngine(HandlerEngine.byName(handlers), json, group, new JobApiClient(link.channel()));
        RunningWorker running =
                new RunningWorker(link, identity, engine, new SharedFolders(SHARED_FOLDERS), stopTimeout);
        running.connect();
        return new Worker(running);
    }

    private static int checkCount(String what, int count, int min) {
        if (count < min || count > SLOTS_MAX) {
            throw new IllegalArgumentException(what + ": " + count + " (expected: " + min + " to " + SLOTS_MAX + ")");
        }
        return count;
    }
}
