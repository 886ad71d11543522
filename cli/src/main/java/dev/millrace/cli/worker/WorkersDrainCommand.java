package dev.millrace.cli.worker;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Launcher;
import dev.millrace.cli.output.Terminal;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code millrace workers drain}: lets a worker get no more jobs. */
@Command(
        name = "drain",
        description = {
            "Let a worker get no more jobs, for example before its machine is stopped; for owners of the installation.",
            "",
            "It goes on with the jobs that it has got, and still gets those of same_worker groups whose folder it has."
                    + " With --wait, the command ends once there are none, so that nothing is lost by stopping the"
                    + " worker."
        })
public final class WorkersDrainCommand extends ChangingWorker {
    private static final Duration PAUSE = Duration.ofSeconds(1);

    @Option(names = "--reason", paramLabel = "TEXT", description = "Why, for those who look at the worker.")
    private @Nullable String reason;

    @Option(names = "--wait", description = "Wait until the worker has no more jobs.")
    private boolean waits;

    public WorkersDrainCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        String session = session(client);
        ObjectNode body = Json.object().put("session_id", session);
        if (reason != null) {
            body.put("reason", reason);
        }
        JsonNode drained = client.post(WORKERS.then(":drain"), body);
        if (waits) {
            awaitNoJobs(client, session);
        }
        printResult(
                drained,
                "Drained the worker " + worker() + ". "
                        + (waits ? "It has no more jobs." : "It goes on with the jobs that it has got.")
                        + " Let it get jobs again with: " + Launcher.NAME + " workers resume " + worker());
        return ExitCode.OK;
    }

    /** Says how many jobs are left whenever that changes. A worker that has gone has none. */
    private void awaitNoJobs(MillraceClient client, String session) {
        String said = "";
        Optional<String> left = left(client, session);
        while (left.isPresent()) {
            if (!left.get().equals(said)) {
                said = left.get();
                terminal().err().println("Waiting for " + said + " of the worker " + worker() + " ...");
            }
            pause();
            left = left(client, session);
        }
    }

    private static Optional<String> left(MillraceClient client, String session) {
        JsonNode worker = find(client, session).orElse(Json.object());
        int jobs = worker.path("leased_jobs").asInt();
        int groups = worker.path("drain").path("groups").asInt();
        if (jobs == 0 && groups == 0) {
            return Optional.empty();
        }
        return Optional.of(jobs
                + (jobs == 1 ? " job" : " jobs")
                + (groups == 0 ? "" : " and " + groups + " same_worker group" + (groups == 1 ? "" : "s")));
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new CommandFailure(ExitCode.INTERRUPTED, "The command was interrupted.", interrupted);
        }
    }
}
