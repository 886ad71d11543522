package dev.millrace.scheduler.flow.core.graph;

import java.util.Optional;

/** Compiled flows by the hashes of their versions. Thread-safe. */
public interface FlowModels {
    /** Returns the model of a version if it is in memory. Never blocks. */
    Optional<FlowModel> compiled(String flowHash);

    /**
     * Returns the model of a version, reading it from the database and compiling it if necessary. Throws an exception
     * if the version does not exist.
     */
    FlowModel model(String flowHash);
}
