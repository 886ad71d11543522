package dev.millrace.scheduler.submission;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * The order in which starts of a flow take effect whose debounce keys are computed: that of their arrival at this scheduler,
 * although some keys are known later than others. Thread-safe.
 */
final class StartOrder {
    private final Map<String, Place> last = new HashMap<>();

    /** The place of one start among those of its flow. */
    final class Place implements AutoCloseable {
        private final String flow;
        private final CompletableFuture<Void> before;
        private final CompletableFuture<Void> left = new CompletableFuture<>();

        private Place(String flow, CompletableFuture<Void> before) {
            this.flow = flow;
            this.before = before;
        }

        /** Whether all earlier starts have taken effect. */
        boolean isFirst() {
            return before.isDone();
        }

        /** Waits until all earlier starts have taken effect, which takes as long as the slowest of their keys. */
        void awaitFirst() {
            before.join();
        }

        /** Lets the next start take effect, once all earlier ones have. */
        @Override
        public void close() {
            if (isFirst()) {
                leave();
            } else {
                // On a thread of its own, because thousands that wait for a slow key would leave within one another.
                var _ = before.thenRunAsync(this::leave, Thread::startVirtualThread);
            }
        }

        private void leave() {
            synchronized (StartOrder.this) {
                last.remove(flow, this);
            }
            left.complete(null);
        }
    }

    /** Takes the next place. The caller must close it. */
    synchronized Place enter(String flow) {
        Place earlier = last.get(flow);
        Place place = new Place(flow, earlier == null ? CompletableFuture.completedFuture(null) : earlier.left);
        last.put(flow, place);
        return place;
    }
}
