package dev.millrace.scheduler.flow.core.machine;

import dev.millrace.scheduler.flow.core.graph.TaskWork;
import dev.millrace.scheduler.flow.core.state.Place;

/** Enqueues the job of a task. */
final class TaskDecider {
    private TaskDecider() {}

    static void begin(TaskWork task, Place place, Bindings bindings, Transition transition) {
        switch (TaskResolution.of(task, place.key(), attempt(place), bindings)) {
            case TaskResolution.Job job -> transition.starts.add(place, job.job());
            case TaskResolution.Broken broken -> transition.failHere(place, broken.error());
        }
    }

    private static int attempt(Place place) {
        return 1 + place.scope().resets(place.step()) + HookedAttempt.attemptsBefore(place);
    }
}
