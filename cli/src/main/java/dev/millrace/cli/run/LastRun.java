package dev.millrace.cli.run;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.local.MillraceHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The run that this command line submitted last, in a file of the launcher's checkout. The server cannot know it:
 * others may submit runs meanwhile, and {@code @last} must not mean theirs.
 *
 * @param file holds the server, the workspace and the run's id, a line each
 */
record LastRun(Path file) {
    /** Empty if the command line was not started by the launcher, and so has no folder of its own. */
    static Optional<LastRun> of(Map<String, String> environment) {
        return environment.containsKey("MILLRACE_HOME")
                ? Optional.of(new LastRun(MillraceHome.stateFolder(environment).resolve("last-run")))
                : Optional.empty();
    }

    /** Records a run. A folder that cannot be written is ignored, since the run itself matters more. */
    void note(MillraceClient client, String runId) {
        try {
            Files.createDirectories(file.getParent());
            Files.write(file, List.of(client.server().toString(), client.workspace(), runId), UTF_8);
        } catch (IOException readOnly) {
            // Later, @last reports that there is no run.
        }
    }

    /** The id of the last run, if it was submitted to this workspace of this server. */
    Optional<String> find(MillraceClient client) {
        try {
            List<String> lines = Files.readAllLines(file, UTF_8);
            return lines.size() == 3
                            && lines.getFirst().equals(client.server().toString())
                            && lines.get(1).equals(client.workspace())
                    ? Optional.of(lines.getLast())
                    : Optional.empty();
        } catch (IOException none) {
            return Optional.empty();
        }
    }
}
