package dev.millrace.worker;

/** A hold on a mutex; closing it gives it back, as the end of its time does. Thread-safe. */
public interface JobLock extends AutoCloseable {
    /**
     * Grows each time the mutex changes hands, from one attempt of the job to the next too: a resource that remembers the highest one can
     * refuse whoever has lost the mutex.
     */
    long fence();

    /** Gives the hold back and waits until that is done; has no effect where it was over before. */
    @Override
    void close();
}
