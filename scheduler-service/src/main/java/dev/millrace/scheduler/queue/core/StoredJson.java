package dev.millrace.scheduler.queue.core;

/** A JSON document that is not in memory. */
public interface StoredJson {
    /** Bytes that it takes where it is, compressed maybe. */
    int storedBytes();

    /** Reads it, which may block and fail. */
    String read();
}
