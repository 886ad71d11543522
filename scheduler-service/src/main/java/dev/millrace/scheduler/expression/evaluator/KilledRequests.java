package dev.millrace.scheduler.expression.evaluator;

import java.util.Optional;

/** Memory of the requests that killed their evaluator process, so that they are not tried again. Thread-safe. */
public interface KilledRequests {
    /** Memory that remembers nothing. */
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

    /** Whether no request is known, so that callers need not compute a key. */
    boolean isEmpty();

    /** Finds the reason why the request with this key was stopped; empty if it is not known to kill its process. */
    Optional<String> find(String key);

    /** Adds a request with the reason why it was stopped. */
    void add(String key, String reason);
}
