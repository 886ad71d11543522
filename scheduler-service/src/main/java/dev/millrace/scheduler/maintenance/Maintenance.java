package dev.millrace.scheduler.maintenance;

import dev.millrace.scheduler.data.Leftovers;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.runtime.Loop;
import java.time.Duration;

/** Starts the housekeeping that keeps the database in shape. Every scheduler has it; an advisory lock lets one do it at a time. */
public final class Maintenance implements AutoCloseable {
    private static final Duration INTERVAL = Duration.ofHours(1);

    private final Loop loop;

    private Maintenance(Loop loop) {
        this.loop = loop;
    }

    public static Maintenance start(Database database) {
        HistoryPartitionStore partitions = new HistoryPartitionStore(database);
        Leftovers leftovers = new Leftovers(database);
        return new Maintenance(Loop.start("maintenance", INTERVAL, () -> {
            partitions.addMissing();
            leftovers.sweep();
        }));
    }

    @Override
    public void close() {
        loop.close();
    }
}
