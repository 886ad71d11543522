package dev.millrace.scheduler.flow.core.graph;

import java.util.Optional;

/** The compiled flows by the hashes of their versions. Thread-safe. */
public interface FlowModels {
    /** The model of a version, if it is compiled already. Never blocks. */
    Optional<FlowModel> compiled(String flowHash);

    /** The model of a version, which may be read from the database and compiled first. Throws where there is no such version. */
    FlowModel model(String flowHash);
}
