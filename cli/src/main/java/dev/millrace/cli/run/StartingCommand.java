package dev.millrace.cli.run;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.blob.BlobUploads;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.client.Run;
import dev.millrace.cli.client.RunFollower;
import dev.millrace.cli.output.Launcher;
import dev.millrace.cli.output.Terminal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Base of commands that start a run and wait for its result. */
abstract class StartingCommand extends ClientCommand {
    /** A run that ends within this time needs one request in total. */
    private static final String SHORT_RUN = "2s";

    @Option(
            names = {"-i", "--input"},
            paramLabel = "NAME=VALUE",
            description =
                    "One field of the input: JSON where VALUE is JSON (3, true, [1,2], '\"3\"'), else text. Repeatable.")
    private List<String> inputs = new ArrayList<>();

    @Option(
            names = "--blob",
            paramLabel = "NAME=FILE",
            description = "One field of the input: a file, which is uploaded and passed by reference. Repeatable.")
    private List<String> blobs = new ArrayList<>();

    @Option(
            names = "--input-file",
            paramLabel = "FILE",
            description = "JSON object with the input, - for standard input; --input adds to it.")
    private @Nullable String inputFile;

    @Option(names = "--watch", description = "Show steps as they change state and logs as they happen.")
    private boolean isWatching;

    @Option(names = "--detach", description = "Print the run's id and do not wait for its end.")
    private boolean isDetached;

    @Option(
            names = "--timeout",
            paramLabel = "DURATION",
            description = "Longest time one attempt may run, for example 30s or 5m.")
    private @Nullable String timeout;

    @Option(
            names = "--start-within",
            paramLabel = "DURATION",
            description = "Cancel the run if it has not started in this time, for example 10m.")
    private @Nullable String startWithin;

    @Option(names = "--priority", paramLabel = "N", description = "Higher runs earlier, -1000 to 1000.")
    private @Nullable Integer priority;

    @Option(names = "--tag", paramLabel = "TAG", description = "Only workers with this tag take the run.")
    private @Nullable String tag;

    @Option(
            names = "--request-id",
            paramLabel = "ID",
            description = "Makes the command repeatable: the same id and content start one run only.")
    private @Nullable String requestId;

    @Mixin
    private LimitOptions limit = new LimitOptions();

    StartingCommand(Terminal terminal) {
        super(terminal);
    }

    /** The input that the options of the command line give. Uploads the files among it. */
    final ObjectNode givenInput(MillraceClient client) {
        ObjectNode input = RunInput.read(Optional.ofNullable(inputFile), inputs, System.in);
        if (!blobs.isEmpty()) {
            RunInput.addBlobs(input, blobs, new BlobUploads(client, terminal()));
        }
        return input;
    }

    /**
     * Starts a run and waits for its end, or as the options say.
     *
     * @param start starts the run
     */
    final ExitCode run(MillraceClient client, ObjectNode input, Function<Submission, Run> start) {
        Run run = start.apply(new Submission(
                client,
                isWatching || isDetached ? Optional.empty() : Optional.of(SHORT_RUN),
                options(input),
                requestId == null ? UUID.randomUUID().toString() : requestId,
                terminal().err()::println));
        LastRun.of(System.getenv()).ifPresent(last -> last.note(client, run.id()));
        if (isDetached) {
            return detach(run);
        }
        RunOutput output = new RunOutput(terminal(), wantsJson());
        Run finished = isWatching ? output.watch(client, run.id()) : await(client, run);
        return output.report(client, finished, isWatching);
    }

    /** Adds further options to the body of the request. */
    void addTo(ObjectNode body) {}

    private Run await(MillraceClient client, Run run) {
        if (run.state().isFinal()) {
            return run;
        }
        // A user who loses patience needs the id.
        terminal().err().println("Waiting for run " + run.id() + " ...");
        try (var _ = new InterruptNotice(terminal(), run.id())) {
            return new RunFollower(client, run.id(), false).follow((name, data) -> {
                // Only the end matters.
            });
        }
    }

    private ObjectNode options(ObjectNode input) {
        ObjectNode body = Submission.body(input);
        if (timeout != null) {
            body.put("timeout", timeout);
        }
        if (startWithin != null) {
            body.put("start_within", startWithin);
        }
        if (priority != null) {
            body.put("priority", priority);
        }
        if (tag != null) {
            body.put("tag", tag);
        }
        addTo(body);
        limit.addTo(body);
        return body;
    }

    private ExitCode detach(Run run) {
        if (wantsJson()) {
            printJson(run.json());
        } else {
            print(run.id());
            terminal().err().println("Follow it with: " + Launcher.NAME + " runs watch " + RunIds.brief(run.id()));
        }
        return ExitCode.OK;
    }
}
