package dev.millrace.scheduler.telemetry;

import java.util.List;

/**
 * A value that was read from the database.
 *
 * @param metric what it is a value of, one of the texts in the queries of {@link SnapshotStore}
 * @param labels values of the labels
 */
record SnapshotRow(String metric, List<String> labels, double value) {
    SnapshotRow {
        labels = List.copyOf(labels);
    }
}
