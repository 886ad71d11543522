package dev.millrace.scheduler.queue.core;

/** The location of a JSON document that is not in memory. */
public interface StoredJson {
    /** Size of the stored document, in bytes, possibly compressed. */
    int storedBytes();

    /** Reads the document. May block and fail. */
    String read();
}
