package dev.millrace.cli;

import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

/**
 * {@code millrace bench}, listed for its help only: the launcher of a checkout runs benchmarks from a jar that is not
 * part of the product.
 */
@Command(
        name = "bench",
        description =
                "Measure this checkout with workloads, and compare it with targets, raw Postgres and other systems.")
final class BenchCommand implements Runnable {
    @Unmatched
    private List<String> arguments = List.of();

    @Override
    public void run() {
        throw new CommandFailure(
                ExitCode.USAGE,
                "Benchmarks run in a checkout only: use its launcher, ./millrace bench " + String.join(" ", arguments));
    }
}
