package dev.millrace.bench.workload;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * How workloads are run.
 *
 * @param database URL of the Postgres server; empty for an embedded one
 * @param rounds instead of each workload's own number of rounds
 * @param seconds instead of each workload's own duration
 * @param size instead of each workload's own number of jobs, items, steps or runs
 * @param throughGateway whether the client speaks REST to a gateway instead of gRPC to the scheduler, where a workload can
 * @param ceiling whether raw Postgres is measured first, to compare with
 * @param peers whether other systems are measured beside Millrace
 * @param profileFolder where recordings and flame graphs go; empty for no profile
 */
public record BenchOptions(
        Optional<String> database,
        OptionalInt rounds,
        OptionalInt seconds,
        OptionalInt size,
        boolean throughGateway,
        boolean ceiling,
        boolean peers,
        Optional<Path> profileFolder) {
    public BenchOptions {
        requireNonNull(database, "database is null");
        requirePositive("--rounds", rounds);
        requirePositive("--seconds", seconds);
        requirePositive("--size", size);
        requireNonNull(profileFolder, "profileFolder is null");
    }

    private static void requirePositive(String name, OptionalInt value) {
        if (value.isPresent() && value.getAsInt() < 1) {
            throw new IllegalArgumentException(name + ": " + value.getAsInt() + " (expected: >= 1)");
        }
    }
}
