package dev.millrace.cli.flowtest;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.cli.ClientOptions;
import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.OutputCommand;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.local.LogLevel;
import dev.millrace.cli.local.TestWorker;
import dev.millrace.cli.output.Durations;
import dev.millrace.cli.output.Paint;
import dev.millrace.cli.output.Terminal;
import dev.millrace.cli.watch.FolderWatch;
import dev.millrace.flowtest.file.FlowTestFile;
import dev.millrace.flowtest.file.FlowTestReader;
import dev.millrace.flowtest.file.FlowTestRunner;
import dev.millrace.flowtest.script.ScriptHost;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code millrace test}: tests flows and scripts without a server. */
@Command(name = "test", description = "Test flows and scripts without a server: runs the tests in *.test.yaml files.")
public final class TestCommand extends OutputCommand {
    /** Deepest folder that is searched, counted from a given one. */
    private static final int DEPTH_MAX = 20;

    @Parameters(
            paramLabel = "PATH",
            arity = "0..*",
            description = "Files with tests, or folders that are searched for them (default: this folder).")
    private List<Path> paths = List.of(Path.of(""));

    @Option(
            names = {"-f", "--filter"},
            paramLabel = "TEXT",
            description = "Only tests whose name contains this text.")
    private String filter = "";

    @Option(names = "--watch", description = "Run the tests again whenever a file in their folders is saved.")
    private boolean watch;

    @Option(names = "--junit", paramLabel = "FILE", description = "Also write the results as JUnit XML.")
    private @Nullable Path junit;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            defaultValue = "text",
            description = "text for people, json for programs (default: text).")
    private ClientOptions.Format format = ClientOptions.Format.TEXT;

    public TestCommand(Terminal terminal) {
        super(terminal);
    }

    /**
     * The results of a file.
     *
     * @param problems why the file cannot be used
     */
    record Outcome(FlowTestFile file, List<FlowTestRunner.Result> results, List<String> problems) {}

    @Override
    protected boolean wantsJson() {
        return format == ClientOptions.Format.JSON;
    }

    @Override
    public Integer call() {
        LogLevel.quiet();
        try (ScriptHost scripts = new ScriptHost(TestWorker::options)) {
            return watch ? watch(scripts) : test(scripts);
        }
    }

    /** Runs the tests at each change, until this program is interrupted. */
    private Integer watch(ScriptHost scripts) {
        try (FolderWatch folders = FolderWatch.open(folders())) {
            while (true) {
                try {
                    var _ = test(scripts);
                } catch (CommandFailure failure) {
                    // The next change may mend it.
                    print(terminal().paint().red(String.valueOf(failure.getMessage())));
                }
                print(terminal().paint().dim("Waiting for changes. Press Ctrl-C to stop."));
                folders.awaitChange();
                print("");
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return ExitCode.OK.number();
        }
    }

    private List<Path> folders() {
        return paths.stream()
                .map(Path::toAbsolutePath)
                .map(path -> Files.isDirectory(path) ? path : path.resolveSibling(""))
                .distinct()
                .toList();
    }

    private Integer test(ScriptHost scripts) {
        long began = System.nanoTime();
        List<Outcome> outcomes =
                files().stream().map(file -> run(file, scripts)).toList();
        Duration took = Duration.ofNanos(System.nanoTime() - began);
        Path report = junit;
        if (report != null) {
            write(report, outcomes);
        }
        long failed = count(outcomes, false);
        long passed = count(outcomes, true);
        boolean unusable =
                outcomes.stream().anyMatch(outcome -> !outcome.problems().isEmpty());
        if (passed + failed == 0 && !unusable) {
            throw new CommandFailure(
                    ExitCode.USAGE,
                    filter.isEmpty()
                            ? "There are no tests: no file in the given folders ends in .test.yaml."
                            : "No test has a name that contains \"" + filter + "\".");
        }
        if (wantsJson()) {
            printJson(json(outcomes, took));
        } else {
            print("");
            print(summary(passed, failed) + " in " + Durations.text(took));
        }
        if (unusable) {
            return ExitCode.USAGE.number();
        }
        return failed == 0 ? ExitCode.OK.number() : ExitCode.RUN_FAILED.number();
    }

    private List<Path> files() {
        List<Path> files = new ArrayList<>();
        for (Path path : paths) {
            if (Files.isDirectory(path.toAbsolutePath())) {
                try (var found = Files.find(
                        path, DEPTH_MAX, (file, facts) -> facts.isRegularFile() && FlowTestRunner.isTestFile(file))) {
                    found.sorted().forEach(files::add);
                } catch (IOException | java.io.UncheckedIOException unreadable) {
                    throw new CommandFailure(
                            ExitCode.USAGE, "The folder " + path + " cannot be searched: " + unreadable.getMessage());
                }
            } else if (Files.isRegularFile(path)) {
                files.add(path);
            } else {
                throw new CommandFailure(ExitCode.USAGE, "There is no file or folder " + path + ".");
            }
        }
        return files.stream().distinct().toList();
    }

    private Outcome run(Path path, ScriptHost scripts) {
        FlowTestFile file = FlowTestReader.read(path);
        List<FlowTestRunner.Result> results = new ArrayList<>();
        List<String> problems = file.messages();
        if (!wantsJson()) {
            print(terminal().paint().bold(path.toString()));
            problems.forEach(problem -> print("  " + terminal().paint().red(problem)));
        }
        FlowTestRunner.run(file, test -> test.name().contains(filter), scripts, result -> {
            results.add(result);
            if (!wantsJson()) {
                show(path, result);
            }
        });
        return new Outcome(file, results, problems);
    }

    private void show(Path file, FlowTestRunner.Result result) {
        Paint paint = terminal().paint();
        String mark = result.passed() ? paint.green("✓") : paint.red("✗");
        print("  " + mark + " " + result.test().name() + " " + paint.dim("(" + Durations.text(result.took()) + ")"));
        if (!result.passed()) {
            print("    " + paint.dim(file + ":" + result.test().line()));
        }
        result.differences().stream().flatMap(String::lines).forEach(line -> print("    " + colored(paint, line)));
        if (!result.passed()) {
            result.output().forEach(line -> print("    " + paint.dim(line)));
        }
    }

    private static String colored(Paint paint, String line) {
        if (line.startsWith("- ")) {
            return paint.red(line);
        }
        return line.startsWith("+ ") ? paint.green(line) : line;
    }

    private static long count(List<Outcome> outcomes, boolean passed) {
        return outcomes.stream()
                .flatMap(outcome -> outcome.results().stream())
                .filter(result -> result.passed() == passed)
                .count();
    }

    private String summary(long passed, long failed) {
        Paint paint = terminal().paint();
        return failed == 0
                ? paint.green(passed + " passed")
                : paint.red(failed + " failed") + ", " + passed + " passed";
    }

    private static ObjectNode json(List<Outcome> outcomes, Duration took) {
        ObjectNode json = Json.object()
                .put("passed", count(outcomes, true))
                .put("failed", count(outcomes, false))
                .put("millis", took.toMillis());
        ArrayNode files = json.putArray("files");
        for (Outcome outcome : outcomes) {
            ObjectNode file =
                    files.addObject().put("file", outcome.file().file().toString());
            ArrayNode problems = file.putArray("problems");
            outcome.problems().forEach(problems::add);
            ArrayNode tests = file.putArray("tests");
            for (FlowTestRunner.Result result : outcome.results()) {
                ObjectNode one = tests.addObject()
                        .put("name", result.test().name())
                        .put("line", result.test().line())
                        .put("passed", result.passed())
                        .put("millis", result.took().toMillis());
                result.differences().forEach(one.putArray("differences")::add);
                result.output().forEach(one.putArray("output")::add);
            }
        }
        return json;
    }

    private static void write(Path report, List<Outcome> outcomes) {
        Optional<Path> folder = Optional.ofNullable(report.toAbsolutePath().getParent());
        try {
            if (folder.isPresent()) {
                Files.createDirectories(folder.get());
            }
            Files.writeString(report, JunitReport.of(outcomes));
        } catch (IOException unwritable) {
            throw new CommandFailure(
                    ExitCode.USAGE, "The report " + report + " cannot be written: " + unwritable.getMessage());
        }
    }
}
