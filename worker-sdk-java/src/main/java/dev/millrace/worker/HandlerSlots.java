package dev.millrace.worker;

import java.util.Map;

/**
 * Java handlers of a {@link ScriptWorker}, and slots for their jobs.
 *
 * @param handlers handlers by name; if empty, the worker runs only scripts
 * @param slots jobs of all handlers that may run at once, each on its own thread
 * @param prefetch further jobs that may wait on the worker, unless the running ones take long
 */
public record HandlerSlots(Map<String, JobHandler> handlers, int slots, int prefetch) {
    public static final HandlerSlots NONE = new HandlerSlots(Map.of(), 0, 0);

    public HandlerSlots {
        handlers = Map.copyOf(handlers);
        int min = handlers.isEmpty() ? 0 : 1;
        if (slots < min || slots > WorkerBuilder.SLOTS_MAX || prefetch < 0 || prefetch > WorkerBuilder.SLOTS_MAX) {
            throw new IllegalArgumentException("slots: " + slots + ", prefetch: " + prefetch + " (expected: " + min
                    + " and 0 to " + WorkerBuilder.SLOTS_MAX + ")");
        }
    }
}
