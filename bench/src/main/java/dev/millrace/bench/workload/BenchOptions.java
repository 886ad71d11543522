package dev.millrace.bench.workload;

import static java.util.Objects.requireNonNull;

import dev.millrace.bench.system.Protection;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Options of the workloads.
 *
 * @param database URL of the Postgres server; empty for an embedded one
 * @param rounds replaces each workload's own number of rounds
 * @param seconds replaces each workload's own duration
 * @param size replaces each workload's own number of jobs, items, steps or runs
 * @param throughGateway whether the client speaks REST to a gateway instead of gRPC to the scheduler, if the workload
 *     supports it
 * @param protection whether the schedulers of the workloads demand tokens, and TLS
 * @param ceiling whether raw Postgres is measured first, for comparison
 * @param peers whether other systems are measured, too
 * @param profileFolder folder for recordings and flame graphs; empty for no profile
 */
public record BenchOptions(
        Optional<String> database,
        OptionalInt rounds,
        OptionalInt seconds,
        OptionalInt size,
        boolean throughGateway,
        Protection protection,
        boolean ceiling,
        boolean peers,
        Optional<Path> profileFolder) {
    public BenchOptions {
        requireNonNull(database, "database is null");
        requirePositive("--rounds", rounds);
        requirePositive("--seconds", seconds);
        requirePositive("--size", size);
        requireNonNull(protection, "protection is null");
        requireNonNull(profileFolder, "profileFolder is null");
    }

    private static void requirePositive(String name, OptionalInt value) {
        if (value.isPresent() && value.getAsInt() < 1) {
            throw new IllegalArgumentException(name + ": " + value.getAsInt() + " (expected: >= 1)");
        }
    }
}
