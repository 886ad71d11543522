package dev.millrace.worker.internal.process;

import dev.millrace.worker.internal.packages.LockKeeper;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The versions of scripts for which processes are kept, whether or not there are jobs. Guarded by the pool's lock. */
final class PinnedVersions {
    private final Map<ScriptKey, Pin> pins = new HashMap<>();
    private final Map<ScriptKey, String> failures = new HashMap<>();

    /**
     * What is kept for a version.
     *
     * @param processes number of processes
     * @param locks the packages that were chosen for it
     */
    record Pin(int processes, LockKeeper locks) {}

    void put(ScriptKey key, Pin pin) {
        pins.put(key, pin);
        failures.remove(key);
    }

    /** Notes why a process of the version has not become ready. */
    void fail(ScriptKey key, String reason) {
        if (pins.containsKey(key)) {
            failures.put(key, reason);
        }
    }

    Optional<String> failure(ScriptKey key) {
        return Optional.ofNullable(failures.get(key));
    }

    void remove(ScriptKey key) {
        failures.remove(key);
        pins.remove(key);
    }

    /** Number of processes that are kept for a version. */
    int processes(ScriptKey key) {
        Pin pin = pins.get(key);
        return pin == null ? 0 : pin.processes();
    }

    /** Number of processes that are kept for all versions. */
    int count() {
        return pins.values().stream().mapToInt(Pin::processes).sum();
    }

    Optional<LockKeeper> locks(ScriptKey key) {
        return Optional.ofNullable(pins.get(key)).map(Pin::locks);
    }

    /** Number of processes that are kept for all versions but this one. */
    int processesOfOthers(ScriptKey key) {
        return pins.entrySet().stream()
                .filter(pin -> !pin.getKey().equals(key))
                .mapToInt(pin -> pin.getValue().processes())
                .sum();
    }
}
