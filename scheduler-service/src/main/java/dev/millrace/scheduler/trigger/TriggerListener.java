package dev.millrace.scheduler.trigger;

/** Listens for one version of a trigger, on a thread of its own. */
public interface TriggerListener {
    /**
     * Listens until it is stopped, or until the trigger is found to be paused or deleted.
     *
     * @throws ListenTrouble if it cannot go on; it is run again later
     */
    void run() throws ListenTrouble, InterruptedException;

    /** Makes {@link #run} return soon. Called by other threads, also before {@link #run}. */
    void stop();
}
