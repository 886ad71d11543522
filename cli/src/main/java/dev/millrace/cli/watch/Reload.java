package dev.millrace.cli.watch;

import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.definition.Preparation;
import dev.millrace.cli.output.Durations;
import dev.millrace.cli.output.Terminal;
import dev.millrace.cli.output.Times;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Deploys folders, and again what changes in them, until the thread is interrupted. */
public final class Reload {
    /** Number of paths that one line names. */
    private static final int NAMES_MAX = 5;

    private final Terminal terminal;
    private final List<Path> folders;

    /** @throws CommandFailure if one of them is no folder */
    public Reload(Terminal terminal, List<Path> folders) {
        this.terminal = terminal;
        this.folders = List.copyOf(folders);
        for (Path folder : folders) {
            if (!Files.isDirectory(folder)) {
                throw new CommandFailure(ExitCode.NOT_FOUND, "There is no folder " + folder + ". Check its path.");
            }
        }
    }

    /** Returns only by an exception. */
    public void run(MillraceClient client) throws InterruptedException {
        // Opened before the first deployment, so that no change falls between the two.
        try (FolderWatch watch = FolderWatch.open(folders);
                Preparations preparations = new Preparations(client, this::tellProblem)) {
            FolderDeployment deployment = new FolderDeployment(client, folders);
            preparations.follow(deploy(deployment, "Deployed"));
            while (true) {
                watch.awaitChange();
                preparations.follow(deploy(deployment, "Reloaded"));
            }
        }
    }

    private void tellProblem(String problem) {
        terminal.err().println(time() + terminal.paint().red(problem));
    }

    /** The present time, in front of a line. */
    private String time() {
        return terminal.paint().dim(Times.clock(Instant.now())) + " ";
    }

    private List<Preparation> deploy(FolderDeployment deployment, String verb) {
        long begin = System.nanoTime();
        FolderDeployment.Outcome outcome = deployment.deployChanged();
        String took = Durations.text(Duration.ofNanos(System.nanoTime() - begin));
        String time = time();
        if (!outcome.scripts().isEmpty() || !outcome.flows().isEmpty()) {
            terminal.out().println(time + verb + " " + counts(outcome) + " in " + took + ": " + names(outcome));
        }
        outcome.repaired().forEach(file -> terminal.out().println(time + file + " is in order again."));
        outcome.warnings()
                .forEach(warning ->
                        terminal.err().println(time + terminal.paint().yellow(warning)));
        // At the end, because what follows the last change has to stay in view.
        outcome.problems().forEach(this::tellProblem);
        return outcome.preparations();
    }

    private static String counts(FolderDeployment.Outcome outcome) {
        List<String> counts = new ArrayList<>();
        addCount(counts, outcome.flows().size(), "flow");
        addCount(counts, outcome.scripts().size(), "script");
        return String.join(" and ", counts);
    }

    private static void addCount(List<String> counts, int count, String word) {
        if (count > 0) {
            counts.add(count + " " + word + (count == 1 ? "" : "s"));
        }
    }

    private static String names(FolderDeployment.Outcome outcome) {
        List<String> names = new ArrayList<>(outcome.flows());
        names.addAll(outcome.scripts());
        return names.size() <= NAMES_MAX
                ? String.join(", ", names)
                : String.join(", ", names.subList(0, NAMES_MAX)) + " and " + (names.size() - NAMES_MAX) + " more";
    }
}
