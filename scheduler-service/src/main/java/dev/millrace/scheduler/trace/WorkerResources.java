package dev.millrace.scheduler.trace;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.millrace.telemetry.Telemetry;
import io.opentelemetry.sdk.resources.Resource;

/**
 * What is said of a worker with each of its spans: the same as of this scheduler, besides name and instance. A resource
 * is made once for each worker, since exporters serialize each one that they meet. Thread-safe.
 */
final class WorkerResources {
    private static final String WORKER_SERVICE = "millrace-worker";
    /** Largest number of workers whose resources are kept. */
    private static final int WORKERS_MAX = 1_000;

    private final Cache<String, Resource> byWorker =
            Caffeine.newBuilder().maximumSize(WORKERS_MAX).build();
    private final Resource scheduler;

    /** @param scheduler what is said of this scheduler */
    WorkerResources(Resource scheduler) {
        this.scheduler = scheduler;
    }

    /** The resource of the worker with this name. */
    Resource of(String worker) {
        return byWorker.get(worker, this::make);
    }

    /** Of the attributes alone: changing the scheduler's resource would log that it is another's now. */
    private Resource make(String worker) {
        return Resource.create(scheduler.getAttributes().toBuilder()
                .put(Telemetry.SERVICE_NAME, WORKER_SERVICE)
                .put(Telemetry.SERVICE_INSTANCE, worker)
                .build());
    }
}
