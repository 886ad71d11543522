package dev.millrace.cli.watch;

import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.definition.Preparation;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;

/**
 * Waits for the runs that prepare what was deployed, and tells what they find wrong. One at a time: workers prepare few scripts at
 * once. What was deployed again in the meantime is not told of. Thread-safe.
 */
final class Preparations implements AutoCloseable {
    private final MillraceClient client;
    private final Consumer<String> wrong;
    private final ExecutorService waiting = Executors.newSingleThreadExecutor(
            Thread.ofVirtual().name("millrace-preparations").factory());
    /** Runs by the path of what they prepare, of its last deployment. */
    private final Map<String, Set<String>> latest = new HashMap<>();

    /** @param wrong takes messages, on another thread */
    Preparations(MillraceClient client, Consumer<String> wrong) {
        this.client = client;
        this.wrong = wrong;
    }

    void follow(List<Preparation> preparations) {
        synchronized (latest) {
            preparations.forEach(one -> latest.remove(one.path()));
            preparations.forEach(one ->
                    latest.computeIfAbsent(one.path(), _ -> new HashSet<>()).add(one.run()));
        }
        preparations.forEach(one -> waiting.execute(() -> tell(one)));
    }

    private void tell(Preparation preparation) {
        if (!isLatest(preparation)) {
            return;
        }
        try {
            preparation
                    .await(client, line -> {})
                    .filter(message -> isLatest(preparation))
                    .ifPresent(message -> wrong.accept(preparation.path() + ": " + message));
        } catch (CommandFailure unreachable) {
            // Whoever deploys next says so.
        }
    }

    private boolean isLatest(Preparation preparation) {
        synchronized (latest) {
            return latest.getOrDefault(preparation.path(), Set.of()).contains(preparation.run());
        }
    }

    @Override
    public void close() {
        waiting.shutdownNow();
    }
}
