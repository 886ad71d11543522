package dev.millrace.worker;

/** Hold on a mutex. Closing it releases the hold, as the end of its time does. Thread-safe. */
public interface JobLock extends AutoCloseable {
    /**
     * Fencing token, which grows each time the mutex changes hands, also between attempts of one job. A resource that
     * remembers the highest token can reject callers that have lost the mutex.
     */
    long fence();

    /** Releases the hold and waits until that is done; has no effect if the hold has ended. */
    @Override
    void close();
}
