package dev.millrace.cli.run;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.cli.local.MillraceHome;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The run that this command line has submitted last, in a file of the launcher's checkout: others may submit to the same server meanwhile, and
 * {@code @last} must not mean theirs.
 *
 * @param file holds the server and the run's id, a line each
 */
record LastRun(Path file) {
    /** Empty where the command line was not started by the launcher, so that it has no place of its own. */
    static Optional<LastRun> of(Map<String, String> environment) {
        return environment.containsKey("MILLRACE_HOME")
                ? Optional.of(new LastRun(MillraceHome.stateFolder(environment).resolve("last-run")))
                : Optional.empty();
    }

    /** Notes a run; does nothing where the folder cannot be written, since the run is what counts. */
    void note(URI server, String runId) {
        try {
            Files.createDirectories(file.getParent());
            Files.write(file, List.of(server.toString(), runId), UTF_8);
        } catch (IOException readOnly) {
            // Then @last says that there is none.
        }
    }

    /** The id of the run that was submitted to this server, where it was the last one. */
    Optional<String> find(URI server) {
        try {
            List<String> lines = Files.readAllLines(file, UTF_8);
            return lines.size() == 2 && lines.getFirst().equals(server.toString())
                    ? Optional.of(lines.getLast())
                    : Optional.empty();
        } catch (IOException none) {
            return Optional.empty();
        }
    }
}
