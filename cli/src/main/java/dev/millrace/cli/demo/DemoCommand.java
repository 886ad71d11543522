package dev.millrace.cli.demo;

import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.client.Run;
import dev.millrace.cli.client.RunFollower;
import dev.millrace.cli.client.State;
import dev.millrace.cli.local.LocalMillrace;
import dev.millrace.cli.local.LocalPlan;
import dev.millrace.cli.local.LogLevel;
import dev.millrace.cli.local.MillraceHome;
import dev.millrace.cli.output.Durations;
import dev.millrace.cli.output.Launcher;
import dev.millrace.cli.output.RunView;
import dev.millrace.cli.output.Terminal;
import dev.millrace.cli.run.Submission;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code millrace demo}: starts everything, runs the word count, shows its progress and checks its result. */
@Command(
        name = "demo",
        description = "Start everything on a temporary Postgres and run a flow of Python and TypeScript steps, live.")
public final class DemoCommand implements Callable<Integer> {
    private static final Path FLOW = Path.of("examples", "wordcount", "flow.yaml");
    private static final int TOP = 10;

    private final Terminal terminal;

    @Parameters(
            paramLabel = "FILE",
            arity = "0..*",
            description = "Text files to count (default: Millrace's own documents).")
    private List<Path> files = new ArrayList<>();

    public DemoCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        Map<String, String> environment = System.getenv();
        Path home = MillraceHome.folder(environment);
        Path flow = home.resolve(FLOW);
        if (!Files.isRegularFile(flow)) {
            throw new CommandFailure(
                    ExitCode.NOT_FOUND,
                    "The demo's flow " + flow + " is missing. Run " + Launcher.NAME + " demo from a whole checkout.");
        }
        DemoTexts texts = DemoTexts.of(files, home);
        LogLevel.quiet();
        long start = System.nanoTime();
        LocalPlan plan = LocalPlan.ephemeral(MillraceHome.stateFolder(environment));
        try (LocalMillrace millrace = LocalMillrace.start(plan, step -> say(step + " ..."));
                MillraceClient client = new MillraceClient(millrace.gatewayUrl())) {
            say("Ready after " + Durations.text(Duration.ofNanos(System.nanoTime() - start)) + ": "
                    + millrace.gatewayUrl());
            say("Counting the words of " + texts.texts().size() + " files with " + home.relativize(flow));
            say("");
            return run(client, flow, texts).number();
        }
    }

    private ExitCode run(MillraceClient client, Path flow, DemoTexts texts) {
        Run submitted = new Submission(
                        client,
                        Optional.empty(),
                        Submission.body(texts.input(TOP)),
                        UUID.randomUUID().toString(),
                        terminal.err()::println)
                .submit(flow.toString());
        Run run;
        RunView view = RunView.of(terminal);
        try (view) {
            run = new RunFollower(client, submitted.id(), false).follow(view);
        }
        if (run.state() != State.SUCCEEDED) {
            terminal.err()
                    .println("The demo's run " + run.state().word()
                            + run.error()
                                    .map(error -> ": " + error.name() + ": " + error.message())
                                    .orElse("."));
            return ExitCode.RUN_FAILED;
        }
        say("");
        if (!terminal.isInteractive()) {
            view.tree()
                    .lines(Optional.of(run), terminal.paint(), Integer.MAX_VALUE)
                    .forEach(this::say);
            say("");
        }
        new DemoReport(run, view.tree(), terminal.paint()).lines().forEach(this::say);
        say("");
        if (!run.output().equals(WordCheck.expected(texts, TOP))) {
            terminal.err()
                    .println("The result is wrong: a plain count of the same files gives "
                            + WordCheck.expected(texts, TOP) + ".");
            return ExitCode.RUN_FAILED;
        }
        say(terminal.paint().green("The result is right: a plain count of the same files gives the same result."));
        return ExitCode.OK;
    }

    private void say(String line) {
        terminal.out().println(line);
    }
}
