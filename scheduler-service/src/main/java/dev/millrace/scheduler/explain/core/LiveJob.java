package dev.millrace.scheduler.explain.core;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.flow.core.definition.StepAction.EventKind;
import dev.millrace.scheduler.queue.core.JobLimit;
import dev.millrace.scheduler.queue.core.JobState;
import java.time.Instant;
import java.util.Optional;

/**
 * A job or a wait in the queue.
 *
 * @param key of its step, with a mark where it stands for something around the step; empty for the only job of a run without a flow
 * @param runAfter when it may begin, or ends by itself
 * @param worker who has the lease; empty without one
 * @param slots room for jobs with its tag in all connected workers; counted only where it is queued
 * @param ahead jobs with its tag that go first; counted only where it is queued
 * @param awaited what a wait for events waits for
 * @param keeper name of the worker that holds the folder of its group, empty until that is decided; absent for a job that any worker may run
 * @param line what it waits in line for; absent where it is under no limit, or has been let go
 * @param child the run for whose end it waits; absent for none
 * @param paused why connected workers that take its tag take no jobs now, each with its name; empty where none has paused
 */
public record LiveJob(
        String key,
        JobState state,
        String tag,
        int attempt,
        Optional<Instant> runAfter,
        String worker,
        int slots,
        int ahead,
        Optional<Awaited> awaited,
        Optional<String> keeper,
        Optional<Line> line,
        Optional<Child> child,
        String paused) {
    public LiveJob {
        requireNonNull(key, "key");
        requireNonNull(state, "state");
        requireNonNull(tag, "tag");
        requireNonNull(runAfter, "runAfter");
        requireNonNull(worker, "worker");
        requireNonNull(awaited, "awaited");
        requireNonNull(keeper, "keeper");
        requireNonNull(line, "line");
        requireNonNull(child, "child");
        requireNonNull(paused, "paused");
    }

    /** That waits for no run, and for no worker that has paused. */
    public LiveJob(
            String key,
            JobState state,
            String tag,
            int attempt,
            Optional<Instant> runAfter,
            String worker,
            int slots,
            int ahead,
            Optional<Awaited> awaited,
            Optional<String> keeper,
            Optional<Line> line) {
        this(key, state, tag, attempt, runAfter, worker, slots, ahead, awaited, keeper, line, Optional.empty(), "");
    }

    /**
     * A run for whose end a step waits.
     *
     * @param flow path of its flow
     * @param state of its root job; absent once that has left the queue
     */
    public record Child(String run, String flow, Optional<JobState> state, boolean paused) {
        public Child {
            requireNonNull(run, "run");
            requireNonNull(flow, "flow");
            requireNonNull(state, "state");
        }
    }

    /**
     * The line for a limit.
     *
     * @param limit what the job asks for
     * @param released how many of the line have been let go and have not ended
     * @param begun how many count against its rate
     */
    public record Line(JobLimit limit, int released, int begun) {
        public Line {
            requireNonNull(limit, "limit");
        }
    }

    /** Events that a wait waits for. */
    public record Awaited(EventKind kind, String name, int required, int received) {
        public Awaited {
            requireNonNull(kind, "kind");
            requireNonNull(name, "name");
        }
    }

    /** Key of the step without the mark. */
    String step() {
        return mark() < 0 ? key : key.substring(0, mark());
    }

    boolean hasMark(String text) {
        return mark() >= 0 && key.substring(mark()).equals(text);
    }

    /** Steps that run once the flow has failed have a mark in front. */
    private int mark() {
        return key.indexOf('#', 1);
    }
}
