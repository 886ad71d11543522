package dev.millrace.scheduler.expression.evaluator;

import java.util.Optional;

/** Remembers which requests have killed their evaluators, so that nobody tries them again. Thread-safe. */
public interface KilledRequests {
    /** Remembers nothing. */
    KilledRequests NONE = new KilledRequests() {
        @Override
        public boolean isEmpty() {
            return true;
        }

        @Override
        public Optional<String> find(String key) {
            return Optional.empty();
        }

        @Override
        public void add(String key, String reason) {}
    };

    /** Whether none is known, so that nobody needs to work out a key. */
    boolean isEmpty();

    /** Why the request with this key was stopped; empty where it is not known to kill. */
    Optional<String> find(String key);

    /** Remembers a request with the reason. */
    void add(String key, String reason);
}
