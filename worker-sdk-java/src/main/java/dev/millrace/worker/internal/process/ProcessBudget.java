package dev.millrace.worker.internal.process;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The warm processes of a worker, of which it has a limited number. Guarded by the pool's lock.
 *
 * <p>A process with a script comes before a spare without one. If all places are taken, the process that has been idle
 * longest ends, unless it is kept for a pinned version.
 */
final class ProcessBudget {
    private final PoolLock lock;
    private final int processesMax;
    private final Function<ScriptKey, WarmProcess> starter;

    private final Map<ScriptKey, ScriptProcesses> processes = new HashMap<>();
    private final Set<WarmProcess> idle = new LinkedHashSet<>();
    private final PinnedVersions pins = new PinnedVersions();
    /** Names of the runtimes whose spare process has a place, the oldest first. */
    private final Set<String> spares = new LinkedHashSet<>();

    private Consumer<String> onSpareUnwanted = runtime -> {};
    private Consumer<String> onEviction = language -> {};
    private int count;
    private boolean closed;

    /** @param starter starts a process for a script without blocking */
    ProcessBudget(PoolLock lock, int processesMax, Function<ScriptKey, WarmProcess> starter) {
        this.lock = lock;
        this.processesMax = processesMax;
        this.starter = starter;
    }

    /** Sets what learns the languages of processes that are ended to make room. Runs without the lock. */
    void onEviction(Consumer<String> learns) {
        onEviction = learns;
    }

    /**
     * Sets what ends the spare process of a runtime, given by its name, when a script needs its place. Runs without the
     * lock; must not block.
     */
    void onSpareUnwanted(Consumer<String> action) {
        onSpareUnwanted = action;
    }

    /** Keeps no processes for pinned versions and no spares from now on. */
    void close() {
        closed = true;
    }

    PinnedVersions pins() {
        return pins;
    }

    /** Number of processes with a script, including those that are starting. */
    int count() {
        return count;
    }

    /** The processes with a script. */
    Stream<WarmProcess> all() {
        return processes.values().stream().flatMap(siblings -> siblings.processes.stream());
    }

    /** The processes of a script, to which {@link #start} adds. */
    ScriptProcesses of(ScriptKey key) {
        return processes.computeIfAbsent(key, unused -> new ScriptProcesses());
    }

    /** The processes of a script; null if it has none. */
    @Nullable ScriptProcesses find(ScriptKey key) {
        return processes.get(key);
    }

    /** Starts a process for a script; null if there is no place for it. */
    @Nullable WarmProcess start(ScriptKey key) {
        if (!makeRoom()) {
            return null;
        }
        WarmProcess process = starter.apply(key);
        of(key).processes.add(process);
        count++;
        return process;
    }

    /** Notes that a process has no job, so that others may get its place. */
    void idle(WarmProcess process) {
        idle.add(process);
    }

    /** Notes that a process has a job. */
    void busy(WarmProcess process) {
        idle.remove(process);
    }

    /** Forgets a process that ends. */
    void remove(WarmProcess process) {
        if (process.hasEndedJobs()) {
            // A process that has served is replaced at once; one that ends by itself must not be started over and over.
            lock.afterwards(() -> lock.run(() -> keep(process.key)));
        }
        ScriptProcesses siblings = processes.get(process.key);
        if (siblings != null && siblings.processes.remove(process)) {
            count--;
            idle.remove(process);
            if (siblings.processes.isEmpty()) {
                processes.remove(process.key);
            }
        }
    }

    /**
     * Keeps processes for a version from now on, and starts those that are missing.
     *
     * @return why it does not; empty if it does
     */
    Optional<String> pin(ScriptKey key, PinnedVersions.Pin pin) {
        // Without room for others, jobs of other scripts would wait for ever.
        int keptMax = processesMax - 1;
        if (pins.processesOfOthers(key) + pin.processes() > keptMax) {
            return Optional.of("The worker cannot keep " + pin.processes() + " processes for the script beside "
                    + pins.processesOfOthers(key) + " for others: it keeps at most " + keptMax
                    + ", one less than it may have. Raise millrace.worker.processes-max.");
        }
        pins.put(key, pin);
        keep(key);
        return Optional.empty();
    }

    /** Starts those processes of a pinned version that are missing, as far as there are places. */
    void keep(ScriptKey key) {
        int wanted = closed ? 0 : pins.processes(key);
        boolean hasRoom = true;
        while (hasRoom && count(key) < wanted) {
            hasRoom = start(key) != null;
        }
    }

    /** Lets the processes of a version end after their jobs. */
    void unpin(ScriptKey key) {
        pins.remove(key);
        ScriptProcesses siblings = processes.get(key);
        if (siblings != null) {
            for (WarmProcess process : List.copyOf(siblings.processes)) {
                process.leave();
                if (process.isSpent()) {
                    remove(process);
                    process.endSpent();
                }
            }
        }
    }

    /** Whether as many processes of a version are ready as are kept. */
    boolean isKept(ScriptKey key) {
        ScriptProcesses siblings = processes.get(key);
        return siblings != null
                && siblings.processes.stream().filter(WarmProcess::wasLoaded).count() >= pins.processes(key);
    }

    /**
     * Reserves a place for the spare process of a runtime, by ending an idle process if there is no other. Spares have at
     * most half of the places.
     */
    boolean reserveSpare(String runtime) {
        boolean isReserved = !closed && (spares.contains(runtime) || hasRoomForSpare());
        if (isReserved) {
            spares.add(runtime);
        }
        return isReserved;
    }

    private boolean hasRoomForSpare() {
        return 2 * (spares.size() + 1) <= processesMax && (hasPlace() || retireOne());
    }

    boolean hasSpare(String runtime) {
        return spares.contains(runtime);
    }

    void releaseSpare(String runtime) {
        spares.remove(runtime);
    }

    private int count(ScriptKey key) {
        ScriptProcesses siblings = processes.get(key);
        return siblings == null ? 0 : siblings.processes.size();
    }

    private boolean hasPlace() {
        return count + spares.size() < processesMax;
    }

    private boolean makeRoom() {
        if (hasPlace() || retireOne()) {
            return true;
        }
        boolean isSpareLast = !spares.isEmpty() && count < processesMax;
        if (isSpareLast) {
            String unwanted = spares.iterator().next();
            spares.remove(unwanted);
            lock.afterwards(() -> onSpareUnwanted.accept(unwanted));
        }
        return isSpareLast;
    }

    /** Ends the process that has been idle longest, unless all that are idle are kept. */
    private boolean retireOne() {
        for (WarmProcess process : idle) {
            if (count(process.key) > pins.processes(process.key)) {
                remove(process);
                process.yieldPlace();
                lock.afterwards(() -> onEviction.accept(process.language()));
                return true;
            }
        }
        return false;
    }
}
