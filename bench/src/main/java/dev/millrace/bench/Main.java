package dev.millrace.bench;

import static java.util.Objects.requireNonNull;

import dev.millrace.bench.measure.Figures;
import dev.millrace.bench.report.Results;
import dev.millrace.bench.system.Protection;
import dev.millrace.bench.workload.Bench;
import dev.millrace.bench.workload.BenchOptions;
import dev.millrace.bench.workload.Workload;
import dev.millrace.bench.workload.Workloads;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** {@code millrace bench NAME…}: runs workloads one after another and prints their figures. */
@Command(
        name = "millrace bench",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Measures workloads, each service a separate process, on a Postgres that is durable.")
public final class Main implements Callable<Integer> {
    /** Format of the printed figures. */
    enum Output {
        TEXT,
        JSON
    }

    private static final String ALL = "all";
    private static final String GATEWAY = "gateway";
    /** Exit code if a workload failed or produced a wrong result. */
    private static final int FAILED = 1;

    @Parameters(
            arity = "1..*",
            paramLabel = "NAME",
            description = "Workloads by name; 'all' for all; 'list' lists them.")
    private List<String> names = List.of();

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            description = "text (default) or json.")
    private Output output = Output.TEXT;

    @Option(
            names = "--database",
            paramLabel = "URL",
            description =
                    "Postgres server to measure on, as a user who may create databases (default: an embedded one).")
    private @Nullable String database;

    @Option(names = "--rounds", paramLabel = "N", description = "Number of rounds, for workloads with rounds.")
    private @Nullable Integer rounds;

    @Option(names = "--seconds", paramLabel = "N", description = "Duration, for workloads with a fixed duration.")
    private @Nullable Integer seconds;

    @Option(
            names = "--size",
            paramLabel = "N",
            description = "Number of jobs, items, steps or runs, for workloads with such a number.")
    private @Nullable Integer size;

    @Option(
            names = "--through",
            paramLabel = "gateway",
            description = "seq40: the client speaks REST to a gateway, which speaks to the scheduler.")
    private @Nullable String through;

    @Option(names = "--tokens", description = "Callers and workers must show tokens.")
    private boolean withTokens;

    @Option(names = "--tls", description = "Connections to the scheduler use TLS.")
    private boolean withTls;

    @Option(names = "--without-ceiling", description = "Do not measure raw Postgres first: no pg_ratio.")
    private boolean withoutCeiling;

    @Option(names = "--without-peers", description = "burn, latency: do not measure other systems.")
    private boolean withoutPeers;

    @Option(
            names = "--profile",
            description = "Record the services with JFR and draw flame graphs in bench/target/profiles.")
    private boolean profile;

    @CommandLine.Spec
    private CommandLine.Model.@Nullable CommandSpec spec;

    public static void main(String[] arguments) {
        System.exit(new CommandLine(new Main())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .execute(arguments));
    }

    @Override
    public Integer call() throws Exception {
        if (names.equals(List.of("list"))) {
            Workloads.known()
                    .forEach(workload -> System.out.printf("%-14s %s%n", workload.name(), workload.description()));
            return CommandLine.ExitCode.OK;
        }
        boolean isAll = names.equals(List.of(ALL));
        List<Workload> chosen = isAll ? Workloads.ALL : chosen();
        var measured = new ArrayList<Figures>();
        try (Bench bench = Bench.open(options())) {
            Results results = Results.begin(bench);
            boolean allRight = true;
            for (Workload workload : chosen) {
                Figures figures;
                try {
                    figures = run(bench, workload);
                } catch (InterruptedException e) {
                    throw e;
                } catch (Exception e) {
                    // The other workloads are worth measuring all the same.
                    allRight = false;
                    figures = new Figures(workload.name()).note("failed", String.valueOf(e.getMessage()));
                    e.printStackTrace();
                }
                measured.add(figures);
                if (output == Output.TEXT) {
                    System.out.println(figures.toText());
                }
            }
            if (output == Output.JSON) {
                System.out.println(results.json(measured));
            }
            if (isAll) {
                results.write(Path.of("results"), measured);
            }
            return allRight ? CommandLine.ExitCode.OK : FAILED;
        }
    }

    /** Runs a workload; fails if it exceeds its time limit. */
    private static Figures run(Bench bench, Workload workload) throws Exception {
        bench.say(workload.name() + ": " + workload.description());
        Duration limit = workload.limit(bench);
        try (var executor = Executors.newSingleThreadExecutor()) {
            var figures = executor.submit(() -> workload.run(bench));
            try {
                return figures.get(limit.toSeconds(), TimeUnit.SECONDS);
            } catch (TimeoutException e) {
                executor.shutdownNow();
                throw new IllegalStateException(
                        workload.name() + " has not ended after " + limit.toMinutes() + " minutes.", e);
            } catch (ExecutionException e) {
                throw e.getCause() instanceof Exception failure ? failure : e;
            }
        }
    }

    private BenchOptions options() {
        if (through != null && !through.equals(GATEWAY)) {
            throw usage("--through: " + through + " (expected: " + GATEWAY + ")");
        }
        try {
            return new BenchOptions(
                    Optional.ofNullable(database),
                    number(rounds),
                    number(seconds),
                    number(size),
                    through != null,
                    new Protection(withTokens, withTls),
                    !withoutCeiling,
                    !withoutPeers,
                    profile ? Optional.of(Path.of("target", "profiles")) : Optional.empty());
        } catch (IllegalArgumentException e) {
            throw usage(String.valueOf(e.getMessage()));
        }
    }

    private static OptionalInt number(@Nullable Integer value) {
        return value == null ? OptionalInt.empty() : OptionalInt.of(value);
    }

    private List<Workload> chosen() {
        Set<Workload> chosen = new LinkedHashSet<>();
        for (String name : names) {
            chosen.add(Workloads.find(name)
                    .orElseThrow(() -> usage("There is no workload '" + name + "'; choose from "
                            + String.join(", ", Workloads.names()) + ", or " + ALL + " alone.")));
        }
        return List.copyOf(chosen);
    }

    private ParameterException usage(String message) {
        return new ParameterException(requireNonNull(spec, "picocli sets spec").commandLine(), message);
    }
}
