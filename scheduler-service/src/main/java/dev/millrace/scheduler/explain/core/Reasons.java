package dev.millrace.scheduler.explain.core;

import dev.millrace.scheduler.explain.core.LiveJob.Awaited;
import dev.millrace.scheduler.flow.core.state.NotBegun;
import dev.millrace.scheduler.queue.core.JobState;
import dev.millrace.scheduler.tag.core.Programs;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.stream.Collectors;

/** Description of why a job is in its state. */
public final class Reasons {
    /** Maximum number of needed steps that a reason names. */
    static final int NEEDS_MAX = 20;

    private Reasons() {}

    public static Reason of(LiveJob job) {
        return switch (job.state()) {
            case QUEUED -> queued(job);
            case LEASED ->
                reason(job, Cause.RUNNING, "It runs on worker \"" + job.worker() + "\"" + attempt(job) + ".");
            case DELAYED -> delayed(job);
            case SUSPENDED -> suspended(job);
            case HELD -> held(job);
            case FLOW_RUNNING, TO_START -> reason(job, Cause.STARTING, "A scheduler is about to start it.");
        };
    }

    public static Reason of(NotBegun waiting) {
        int more = waiting.needs().size() - NEEDS_MAX;
        String needs = waiting.needs().stream()
                .limit(NEEDS_MAX)
                .map(key -> "\"" + key + "\"")
                .collect(Collectors.joining(", "));
        return new Reason(
                waiting.step().text(),
                Cause.NEEDS,
                "It has not begun: it waits for the end of " + needs + (more > 0 ? " and " + more + " more" : "")
                        + (waiting.mayBeginEarly() ? ", or for its begin_if to be true." : "."));
    }

    private static Reason reason(LiveJob job, Cause cause, String text) {
        return new Reason(job.step(), cause, text);
    }

    private static String attempt(LiveJob job) {
        return job.attempt() == 1 ? "" : ", attempt " + job.attempt();
    }

    private static Reason queued(LiveJob job) {
        if (job.keeper().isPresent() && job.tagPause().isEmpty()) {
            return kept(job, job.keeper().get());
        }
        if (job.limitQueue().isPresent()) {
            return reason(job, Cause.LIMIT, LimitWords.of(job.limitQueue().get(), job.ahead()));
        }
        if (job.tagPause().isPresent()) {
            return reason(job, Cause.TAG_PAUSED, job.tagPause().get().text());
        }
        if (job.slots() == 0 && !job.absent().isEmpty()) {
            return reason(
                    job,
                    Cause.NO_WORKER,
                    job.absent().text("All connected workers that take jobs with the tag \"" + job.tag() + "\""));
        }
        if (job.slots() == 0) {
            return reason(
                    job,
                    Cause.NO_WORKER,
                    "No connected worker takes jobs with the tag \"" + job.tag() + "\". "
                            + Programs.howToServe(job.tag(), "correct the step and run the flow again"));
        }
        return reason(
                job,
                Cause.SLOT,
                "It waits for one of the " + job.slots() + " slots of workers that take jobs with the tag \""
                        + job.tag() + "\". " + order(job));
    }

    private static String order(LiveJob job) {
        return job.ahead() == 0 ? "It is the next one." : job.ahead() + " jobs with this tag go first.";
    }

    /** Explains a job that only one worker may run. */
    private static Reason kept(LiveJob job, String keeper) {
        if (keeper.isEmpty()) {
            return reason(
                    job,
                    Cause.SLOT,
                    "It waits for the end of the first step of its same_worker group, which decides the worker.");
        }
        String holder = "worker \"" + keeper + "\", which holds the folder of its same_worker group";
        return job.slots() == 0
                ? reason(
                        job,
                        Cause.NO_WORKER,
                        "It waits for " + holder + " and takes no jobs now. If that worker is lost, the step fails.")
                : reason(
                        job,
                        Cause.SLOT,
                        "It waits for one of the " + job.slots() + " slots of " + holder + ". " + order(job));
    }

    private static Reason delayed(LiveJob job) {
        String time = until(job.runAfter());
        if (job.hasMark("#limit")) {
            return reason(job, Cause.TIME_LIMIT, "Its timeout ends" + time + ".");
        }
        if (job.hasMark("#hold") || job.hasMark("#held")) {
            return held(job);
        }
        if (job.hasMark("#delay")) {
            return reason(job, Cause.TIME, "Its delay ends" + time + ".");
        }
        String what = job.attempt() == 1 ? "Its wait ends" : "Attempt " + job.attempt() + " begins";
        return reason(job, Cause.TIME, what + time + ".");
    }

    private static String until(Optional<Instant> time) {
        return time.map(moment -> " at " + moment.truncatedTo(ChronoUnit.SECONDS))
                .orElse(" at an unknown time");
    }

    private static Reason held(LiveJob job) {
        return reason(job, Cause.PAUSED, "It is held back because the run is paused. Resume the run.");
    }

    private static Reason suspended(LiveJob job) {
        if (job.child().isPresent()) {
            return reason(job, Cause.CHILD_RUN, child(job.child().get()));
        }
        return job.awaited()
                .map(awaited -> reason(job, Cause.EVENTS, events(awaited, job)))
                .orElseGet(() -> held(job));
    }

    private static String child(LiveJob.Child child) {
        String state;
        if (child.state().isEmpty()) {
            state = "has just ended";
        } else if (child.paused()) {
            state = "is paused";
        } else {
            state = child.state().get() == JobState.TO_START ? "has not started yet" : "is running";
        }
        return "It waits for the end of run " + child.run() + " of the flow \"" + child.flow() + "\", which " + state
                + ".";
    }

    private static String events(Awaited awaited, LiveJob job) {
        String what = switch (awaited.kind()) {
            case SIGNAL -> "It waits for the signal";
            case APPROVAL -> "It waits for the approval";
            case HUMAN -> "It waits for the human input";
        };
        return what + " \"" + awaited.name() + "\": " + awaited.received() + " of " + awaited.required() + " received."
                + job.runAfter()
                        .map(end -> " Its timeout ends" + until(Optional.of(end)) + ".")
                        .orElse("");
    }
}
