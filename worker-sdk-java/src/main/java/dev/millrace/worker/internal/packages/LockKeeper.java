package dev.millrace.worker.internal.packages;

import java.util.List;
import java.util.Optional;

/** Keeps the versions that were chosen for one script, for all workers. */
public interface LockKeeper {
    /** Keeps nothing, so that each worker chooses for itself. */
    LockKeeper NOWHERE = new LockKeeper() {
        @Override
        public Optional<String> find(String interpreter) {
            return Optional.empty();
        }

        @Override
        public String keep(String interpreter, String lock, List<String> inferred) {
            return lock;
        }
    };

    /** The versions chosen for an interpreter such as {@code python3.12} or {@code deno2}; empty if none were chosen yet. */
    Optional<String> find(String interpreter);

    /**
     * Keeps a choice unless another worker was faster, and returns the one that counts.
     *
     * @param inferred names of packages that were inferred from imports
     */
    String keep(String interpreter, String lock, List<String> inferred);
}
