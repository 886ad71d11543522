package dev.millrace.worker;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.proto.worker.v1.SlotGroup;
import dev.millrace.worker.internal.Channels;
import dev.millrace.worker.internal.RunningWorker;
import dev.millrace.worker.internal.handler.HandlerEngine;
import dev.millrace.worker.internal.handler.HandlerGroup;
import dev.millrace.worker.internal.session.SharedFolders;
import dev.millrace.worker.internal.session.WorkerIdentity;
import dev.millrace.worker.internal.step.StepClient;
import io.grpc.ManagedChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Describes a worker; {@link #start} connects it. Not thread-safe. */
public final class WorkerBuilder {
    /** Most slots, and most prefetched jobs, of one worker. */
    public static final int SLOTS_MAX = 10_000;

    /** Where jobs that share a folder have it. */
    private static final Path SHARED_FOLDERS = Path.of(System.getProperty("java.io.tmpdir"), "millrace-shared");

    private final String target;
    private final Map<String, JobHandler> handlers = new LinkedHashMap<>();
    private final Map<String, String> labels = new LinkedHashMap<>();
    private String name = Channels.hostName();
    private int slots = Runtime.getRuntime().availableProcessors();
    private int prefetch = 2 * slots;
    private Duration stopTimeout = Duration.ofSeconds(30);
    private ObjectMapper json = HandlerGroup.json();

    WorkerBuilder(String target) {
        this.target = requireNonNull(target, "target");
    }

    /** Name of the worker, for people; the machine's name unless given. */
    public WorkerBuilder name(String workerName) {
        this.name = requireNonNull(workerName, "workerName");
        return this;
    }

    /** A free label, for people. */
    public WorkerBuilder label(String key, String value) {
        labels.put(key, value);
        return this;
    }

    /** Jobs that may run at once, each on a thread of its own; the number of processors unless given. */
    public WorkerBuilder slots(int count) {
        this.slots = checkCount("slots", count, 1);
        return this;
    }

    /**
     * Jobs that may wait on the worker beyond those that run; twice the number of processors unless given. Where no job ends for a second, those that wait go
     * back to the queue for other workers to take, and none wait until a job ends sooner than that.
     */
    public WorkerBuilder prefetch(int count) {
        this.prefetch = checkCount("prefetch", count, 0);
        return this;
    }

    /** How long {@link Worker#close} lets running jobs end; 30 seconds unless given. */
    public WorkerBuilder stopTimeout(Duration timeout) {
        this.stopTimeout = requireNonNull(timeout, "timeout");
        return this;
    }

    /** Reads inputs and writes results. */
    public WorkerBuilder objectMapper(ObjectMapper mapper) {
        this.json = requireNonNull(mapper, "mapper");
        return this;
    }

    /** Runs jobs of this handler name. */
    public WorkerBuilder handle(String handlerName, JobHandler handler) {
        requireNonNull(handler, "handler");
        if (handlers.putIfAbsent(requireNonNull(handlerName, "handlerName"), handler) != null) {
            throw new IllegalArgumentException("The handler \"" + handlerName + "\" is given twice.");
        }
        return this;
    }

    /** Connects in the background and begins to take jobs. */
    public Worker start() {
        if (handlers.isEmpty()) {
            throw new IllegalStateException("The worker has no handlers: call handle(name, handler) before start().");
        }
        SlotGroup group = HandlerGroup.of(handlers.keySet(), slots, prefetch);
        Map<String, String> runtimes = Map.of("java", Runtime.version().toString());
        WorkerIdentity identity = new WorkerIdentity(name, RunningWorker.VERSION, runtimes, labels, List.of(group));
        ManagedChannel channel = Channels.open(target);
        HandlerEngine engine = new HandlerEngine(handlers, json, group, new StepClient(channel));
        RunningWorker running =
                new RunningWorker(channel, identity, engine, new SharedFolders(SHARED_FOLDERS), stopTimeout);
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
