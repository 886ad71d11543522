package dev.millrace.bench;

import static java.util.Objects.requireNonNull;

import java.io.PrintStream;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** {@code millrace bench NAME…}: runs workloads one after the other and prints their figures. */
@Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Measures workloads on an embedded Postgres with fsync on, each part a process of its own.")
public final class Main implements Callable<Integer> {
    /** How figures are printed. */
    enum Output {
        TEXT,
        JSON
    }

    private static final List<Workload> WORKLOADS = List.of(new PgCeiling(), new Seq40(), new Steps());

    @Parameters(arity = "1..*", paramLabel = "NAME", description = "Workloads: pg-ceiling, seq40, steps; or all.")
    private List<String> names = List.of();

    @Option(names = "--output", paramLabel = "FORMAT", description = "text (default) or json.")
    private Output output = Output.TEXT;

    @CommandLine.Spec
    private CommandLine.Model.@Nullable CommandSpec spec;

    public static void main(String[] arguments) {
        System.exit(new CommandLine(new Main())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .execute(arguments));
    }

    @Override
    public Integer call() throws Exception {
        for (Workload workload : chosen()) {
            Figures figures = workload.run();
            print(System.out, figures);
        }
        return CommandLine.ExitCode.OK;
    }

    private List<Workload> chosen() {
        if (names.equals(List.of("all"))) {
            return WORKLOADS;
        }
        return names.stream().map(this::workload).toList();
    }

    private Workload workload(String name) {
        return WORKLOADS.stream()
                .filter(workload -> workload.name().equals(name))
                .findFirst()
                .orElseThrow(() -> {
                    String known = WORKLOADS.stream().map(Workload::name).collect(Collectors.joining(", "));
                    return new ParameterException(
                            requireNonNull(spec, "picocli sets spec").commandLine(),
                            "There is no workload '" + name + "'; choose from " + known + " or all.");
                });
    }

    private void print(PrintStream out, Figures figures) {
        out.println(
                switch (output) {
                    case JSON -> figures.toJson();
                    case TEXT -> figures.toText();
                });
    }
}
