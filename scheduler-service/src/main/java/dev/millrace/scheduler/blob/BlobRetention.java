package dev.millrace.scheduler.blob;

import dev.millrace.scheduler.retention.NoRule;
import dev.millrace.scheduler.retention.OldRows;
import dev.millrace.scheduler.retention.TableRetention;
import java.util.List;

/** How long blobs are kept: as long as the runs that use them. */
public final class BlobRetention {
    public static final List<TableRetention> TABLES = List.of(
            OldRows.withRuns("blob_use", "Which runs have saved or loaded blobs"),
            new NoRule("blob", "the sweep of blobs deletes each blob that no run uses"),
            new NoRule("blob_chunk", "the sweep of blobs deletes the chunks of each blob before its row"));

    private BlobRetention() {}
}
