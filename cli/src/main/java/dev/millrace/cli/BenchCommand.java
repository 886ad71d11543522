package dev.millrace.cli;

import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

/** {@code millrace bench}, for the list of commands: the launcher of a checkout runs it from a jar that the product does not carry. */
@Command(
        name = "bench",
        description = "Measure this checkout: workloads, their targets, raw Postgres and other systems beside them.")
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
