package dev.millrace.scheduler.wake;

import dev.millrace.scheduler.lane.LaneSignals;
import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.QueuedJob;
import dev.millrace.scheduler.queue.core.SchedulerId;
import dev.millrace.scheduler.queue.core.SessionId;
import java.time.Duration;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** Carries what lanes tell to the other schedulers, to the delayed jobs and to the job logs. */
public final class Signals implements LaneSignals {
    private static final String JOBS = "jobs ";
    private static final String ENDED = "ended ";

    private final SchedulerId scheduler;
    private final BiConsumer<QueuedJob, String> notes;
    private final NotificationBus bus;
    private final DelayedJobs delayed;
    private final Deadlines deadlines;
    private final Runnable starts;
    private final Runnable childNotes;
    private final Consumer<Set<String>> limits;

    /** Hears the other schedulers. */
    public interface Listener {
        /** Jobs of this tag wait. */
        void jobsWait(String tag);

        /** The lease of this job was ended, if its session is connected here. */
        void leaseEnded(SessionId session, JobId job, String reason);
    }

    /**
     * @param scheduler tells our own messages from those of others
     * @param starts tells that runs may be to be started
     * @param childNotes tells that there are notes about runs that others wait for
     * @param limits is told the lines for limits that may go on
     * @param notes writes a line into a job's log
     */
    public Signals(
            SchedulerId scheduler,
            BiConsumer<QueuedJob, String> notes,
            NotificationBus bus,
            DelayedJobs delayed,
            Deadlines deadlines,
            Runnable starts,
            Runnable childNotes,
            Consumer<Set<String>> limits) {
        this.scheduler = scheduler;
        this.notes = notes;
        this.bus = bus;
        this.delayed = delayed;
        this.deadlines = deadlines;
        this.starts = starts;
        this.childNotes = childNotes;
        this.limits = limits;
    }

    @Override
    public void jobsWait(Set<String> tags) {
        tags.forEach(tag -> bus.tell(scheduler + " " + JOBS + tag));
    }

    @Override
    public void jobDelayed(Duration delay) {
        delayed.announce();
        deadlines.announce();
    }

    @Override
    public void runsToStart() {
        starts.run();
    }

    @Override
    public void childrenNoted() {
        childNotes.run();
    }

    @Override
    public void limitsChanged(Set<String> tags) {
        limits.accept(tags);
    }

    @Override
    public void waitBegan() {
        delayed.announce();
    }

    @Override
    public void leaseEndedElsewhere(SessionId session, JobId job, String reason) {
        bus.tell(scheduler + " " + ENDED + session + " " + job + " " + reason);
    }

    @Override
    public void note(QueuedJob job, String text) {
        notes.accept(job, text);
    }

    /** Has everything looked at that other schedulers may have told while nobody listened. */
    public void heal() {
        delayed.announce();
        deadlines.announce();
        starts.run();
        childNotes.run();
    }

    /** Reads a message of the bus; our own and unknown ones are passed over. */
    public static void read(String message, SchedulerId self, Listener listener) {
        String[] parts = message.split(" ", 2);
        if (parts.length < 2 || parts[0].equals(self.toString())) {
            return;
        }
        if (parts[1].startsWith(JOBS)) {
            listener.jobsWait(parts[1].substring(JOBS.length()));
        } else if (parts[1].startsWith(ENDED)) {
            String[] ended = parts[1].substring(ENDED.length()).split(" ", 3);
            if (ended.length == 3) {
                listener.leaseEnded(SessionId.parse(ended[0]), JobId.parse(ended[1]), ended[2]);
            }
        }
    }
}
