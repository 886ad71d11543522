package dev.millrace.worker;

import dev.millrace.proto.worker.v1.SlotGroup;
import dev.millrace.worker.internal.CombinedEngine;
import dev.millrace.worker.internal.RunningWorker;
import dev.millrace.worker.internal.connection.SchedulerLink;
import dev.millrace.worker.internal.handler.HandlerEngine;
import dev.millrace.worker.internal.handler.HandlerGroup;
import dev.millrace.worker.internal.jobapi.JobApiClient;
import dev.millrace.worker.internal.permission.Permissions;
import dev.millrace.worker.internal.process.EmbeddedScripts;
import dev.millrace.worker.internal.process.Interpreters;
import dev.millrace.worker.internal.process.PackageJob;
import dev.millrace.worker.internal.process.ProcessHostOptions;
import dev.millrace.worker.internal.process.SchedulerDedications;
import dev.millrace.worker.internal.process.SchedulerScripts;
import dev.millrace.worker.internal.process.SchemaJob;
import dev.millrace.worker.internal.process.ScriptPool;
import dev.millrace.worker.internal.session.JobEngine;
import dev.millrace.worker.internal.session.SharedFolders;
import dev.millrace.worker.internal.session.WorkerIdentity;
import dev.millrace.worker.language.EmbeddedLanguage;
import dev.millrace.worker.language.ScriptLanguage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Worker that runs Python and Deno scripts in warm processes, and Java handlers beside them.
 *
 * <p>Its processes never outlive it: {@link #close}, which the JVM's shutdown calls too, ends them, and they end on
 * their own if the JVM is killed. Thread-safe.
 */
public final class ScriptWorker implements AutoCloseable {
    private final RunningWorker running;
    private final ScriptPool pool;
    private final Thread atExit;

    private ScriptWorker(RunningWorker running, ScriptPool pool) {
        this.running = running;
        this.pool = pool;
        this.atExit = new Thread(running::close, "millrace-worker-shutdown");
        Runtime.getRuntime().addShutdownHook(atExit);
    }

    /**
     * Connects in the background and begins to take jobs.
     *
     * @throws UncheckedIOException if the worker's folder cannot be written
     * @throws IllegalArgumentException if the token or a certificate cannot be read, or if the token would leave the
     *     machine in plain text
     */
    public static ScriptWorker start(ScriptWorkerOptions options) {
        ScriptWorker worker = prepare(options);
        worker.connect();
        return worker;
    }

    /**
     * Does all that needs no scheduler, such as finding the interpreters; {@link #connect} does the rest.
     *
     * @throws UncheckedIOException if the worker's folder cannot be written
     * @throws IllegalArgumentException if the token or a certificate cannot be read, or if the token would leave the
     *     machine in plain text
     */
    public static ScriptWorker prepare(ScriptWorkerOptions options) {
        Interpreters interpreters = Interpreters.find(options.python(), options.deno(), options.languages());
        List<ScriptLanguage> languages = options.languages().stream()
                .filter(language -> interpreters.versions().containsKey(language.name()))
                .toList();
        ProcessHostOptions hostOptions = new ProcessHostOptions(
                options.folder(),
                options.processesMax(),
                options.grace(),
                options.graceMax(),
                interpreters.python(),
                options.otherPythons(),
                interpreters.deno(),
                Permissions.parse(options.denoPermissions()),
                options.passedEnvironment(),
                options.packages(),
                options.packageBytesMax(),
                options.packageSources(),
                options.sandbox(),
                options.controlGroups(),
                options.spareProcess(),
                options.jobLimits(),
                languages);
        Set<String> missing = options.languages().stream()
                .map(ScriptLanguage::name)
                .filter(name -> !interpreters.versions().containsKey(name))
                .collect(Collectors.toSet());
        Set<String> embedded =
                options.embedded().stream().map(EmbeddedLanguage::name).collect(Collectors.toSet());
        Predicate<SlotGroup> isEmbedded = group -> embedded.containsAll(group.getTagsList());
        List<SlotGroup> slotGroups = options.slots().stream()
                .flatMap(slots -> slotGroup(slots, missing).stream())
                .toList();
        List<SlotGroup> scriptGroups =
                slotGroups.stream().filter(isEmbedded.negate()).toList();
        List<SlotGroup> embeddedGroups = slotGroups.stream().filter(isEmbedded).toList();
        List<SlotGroup> groups = new ArrayList<>(scriptGroups);
        groups.addAll(embeddedGroups);
        Predicate<String> served = language -> interpreters.versions().containsKey(language)
                && scriptGroups.stream().anyMatch(group -> group.getTagsList().contains(language));
        List<String> builtIn = Stream.of("python", "deno").filter(served).toList();
        List<String> withPackages = Stream.of("python", "deno", "bun")
                .filter(served)
                .filter(language -> language.equals("deno") || options.packages() != PythonPackageChoice.NONE)
                .toList();
        SlotGroup schemaGroup = SchemaJob.slots(builtIn);
        if (!builtIn.isEmpty()) {
            groups.add(schemaGroup);
        }
        SlotGroup packageGroup = PackageJob.slots(withPackages);
        if (!withPackages.isEmpty()) {
            groups.add(packageGroup);
        }
        HandlerSlots handlers = options.handlers();
        SlotGroup handlerGroup =
                HandlerGroup.of(new TreeSet<>(handlers.handlers().keySet()), handlers.slots(), handlers.prefetch());
        if (!handlers.handlers().isEmpty()) {
            groups.add(handlerGroup);
        }
        WorkerIdentity identity = new WorkerIdentity(
                options.name(), RunningWorker.VERSION, interpreters.versions(), options.labels(), groups);
        SchedulerLink link = SchedulerLink.open(options.target(), options.access());
        try {
            JobApiClient steps = new JobApiClient(link.channel());
            SchedulerScripts scripts = new SchedulerScripts(link.channel());
            ScriptPool pool = new ScriptPool(hostOptions, scriptGroups, scripts, steps);
            pool.dedicate(options.dedicated(), new SchedulerDedications(link.channel()));
            JobEngine engine = pool;
            EmbeddedScripts embeddedScripts = new EmbeddedScripts(scripts, options.embedded());
            for (SlotGroup group : embeddedGroups) {
                engine = new CombinedEngine(
                        engine,
                        job -> job.lease().getSlotGroup().equals(group.getName()),
                        new HandlerEngine(embeddedScripts, HandlerGroup.json(), group, steps));
            }
            if (!withPackages.isEmpty()) {
                engine = new CombinedEngine(
                        engine,
                        PackageJob::is,
                        new HandlerEngine(
                                job -> Optional.of(pool.preparing(job)), HandlerGroup.json(), packageGroup, steps));
            }
            if (!builtIn.isEmpty()) {
                engine = new CombinedEngine(
                        engine,
                        SchemaJob::is,
                        new HandlerEngine(
                                job -> Optional.of(pool.reading(job)), HandlerGroup.json(), schemaGroup, steps));
            }
            if (!handlers.handlers().isEmpty()) {
                engine = new CombinedEngine(
                        engine,
                        job -> job.lease().hasHandler(),
                        new HandlerEngine(
                                HandlerEngine.byName(handlers.handlers()), HandlerGroup.json(), handlerGroup, steps));
            }
            return new ScriptWorker(
                    new RunningWorker(
                            link,
                            identity,
                            engine,
                            new SharedFolders(hostOptions.sharedFolders()),
                            options.stopTimeout()),
                    pool);
        } catch (IOException e) {
            link.close();
            throw new UncheckedIOException(
                    "The worker cannot use its folder " + options.folder().toAbsolutePath() + ": " + e.getMessage(), e);
        }
    }

    /** Lets an observer learn what becomes of processes. Call it before {@link #connect}, or it misses some. */
    public void observe(ProcessObserver observer) {
        pool.observe(observer);
    }

    /**
     * Makes this a worker for trials: owners of the installation may kill it from afar, to see that no run is lost. Call
     * it before {@link #connect}.
     *
     * @param action called on a thread of its own when somebody does; to behave as after a crash, it calls {@link #abandon}
     *     or halts the process
     */
    public void obeyKill(Runnable action) {
        running.obeyKill(action);
    }

    /** Connects a prepared worker in the background and lets it take jobs. Must be called once only. */
    public void connect() {
        running.connect();
    }

    /** Waits for the first connection; false if the timeout expires. */
    public boolean awaitConnected(Duration timeout) throws InterruptedException {
        return running.awaitConnected(timeout);
    }

    /**
     * Behaves as if this process crashed: breaks the connection and kills all processes, with their jobs. The scheduler
     * notices after some seconds, and runs the jobs again.
     */
    public void abandon() {
        running.abandon();
        forgetExit();
    }

    /**
     * Stops taking jobs, lets running ones end within the stop timeout, delivers their results and ends all processes.
     */
    @Override
    public void close() {
        running.close();
        forgetExit();
    }

    private void forgetExit() {
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException e) {
            // The JVM is shutting down, and the hook does the same.
        }
    }

    /** The group without the tags of languages that this machine cannot run; empty if none is left. */
    private static Optional<SlotGroup> slotGroup(ScriptSlots slots, Set<String> missing) {
        List<String> tags =
                slots.tags().stream().filter(tag -> !missing.contains(tag)).toList();
        return tags.isEmpty()
                ? Optional.empty()
                : Optional.of(SlotGroup.newBuilder()
                        .setName(slots.name())
                        .addAllTags(tags)
                        .setSlots(slots.slots())
                        .setPrefetch(slots.prefetch())
                        .build());
    }
}
