package dev.millrace.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.ApiPath;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Launcher;
import dev.millrace.cli.output.Terminal;
import java.util.List;
import java.util.UUID;
import picocli.CommandLine.Mixin;

/** Base of commands that operate on one run, or on many as a bulk operation with progress. */
abstract class RunOperationCommand extends ClientCommand {
    @Mixin
    private RunSelection selection = new RunSelection();

    @Mixin
    private OperationNote note = new OperationNote();

    RunOperationCommand(Terminal terminal) {
        super(terminal);
    }

    /** Name of the operation, for example {@code pause}. It is also the verb of the run's address. */
    abstract String operation();

    /** The runs named by id. */
    abstract List<String> runIds();

    /** Adds what the operation needs besides the run. */
    void addTo(ObjectNode body, boolean isBulk) {}

    /** Adds what the operation on one run needs, and what the server has to be asked for. */
    void addToOne(ObjectNode body, MillraceClient client, String runId) {}

    /** Adds what the operation on many runs needs, and what the server has to be asked for. */
    void addToMany(ObjectNode body, MillraceClient client, RunSelection selected, List<String> runIds) {}

    /** Reports the result for one run. */
    abstract void report(String runId, JsonNode run);

    @Override
    protected final ExitCode execute(MillraceClient client) {
        List<String> given = runIds();
        boolean isBulk = selection.isBulk(given);
        List<String> ids = RunIds.find(client, given);
        ObjectNode body = note.body();
        if (isBulk) {
            return executeOnMany(client, body, ids);
        }
        addTo(body, false);
        nameStep(body, client, ids);
        addToOne(body, client, ids.getFirst());
        JsonNode run = client.post(ApiPath.of("/runs").child(ids.getFirst()).then(":" + operation()), body);
        if (!Json.text(run, "id").equals(ids.getFirst())) {
            LastRun.of(System.getenv()).ifPresent(last -> last.note(client, Json.text(run, "id")));
        }
        if (wantsJson()) {
            printJson(run);
        } else {
            report(ids.getFirst(), run);
        }
        return ExitCode.OK;
    }

    /** Runs on which one operation is meant to work alike are of one flow, so the first one tells the branches of all. */
    private static void nameStep(ObjectNode body, MillraceClient client, List<String> ids) {
        if (body.has("step") && !ids.isEmpty()) {
            body.put("step", new StepKeys(client, ids.getFirst()).numbered(Json.text(body, "step")));
        }
    }

    private ExitCode executeOnMany(MillraceClient client, ObjectNode body, List<String> ids) {
        body.put("operation", operation());
        addTo(body, true);
        nameStep(body, client, ids);
        addToMany(body, client, selection, ids);
        selection.addTo(body, ids);
        JsonNode started = client.post(
                ApiPath.of("/bulk-operations"), body, UUID.randomUUID().toString());
        if (selection.isDetached()) {
            if (wantsJson()) {
                printJson(started);
            } else {
                print(Json.text(started, "id"));
                terminal()
                        .err()
                        .println("Show its progress with: " + Launcher.NAME + " runs bulk get "
                                + Json.text(started, "id"));
            }
            return ExitCode.OK;
        }
        BulkProgress progress = new BulkProgress(client, terminal());
        JsonNode ended = progress.await(started);
        List<JsonNode> failures = progress.failures(ended);
        if (wantsJson()) {
            printJson(BulkProgress.json(ended, failures));
        } else {
            print(BulkProgress.line(ended));
            BulkProgress.lines(failures, terminal()).forEach(this::print);
        }
        return BulkProgress.exitCode(ended);
    }
}
