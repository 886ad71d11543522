package dev.millrace.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.ApiPath;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Terminal;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Base of commands that answer a step which waits for people. */
abstract class AnsweringCommand extends ClientCommand {
    @Parameters(index = "0", paramLabel = "ID", description = "Id of the run: " + RunIds.FORMS + ".")
    private String runId = "";

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "STEP",
            description = "Key of the step; not needed if only one step waits for people.")
    private @Nullable String step;

    @Mixin
    private WaitAnswer answer = new WaitAnswer();

    private final String verb;
    private final String done;

    AnsweringCommand(Terminal terminal, String verb, String done) {
        super(terminal);
        this.verb = verb;
        this.done = done;
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        runId = RunIds.find(client, runId);
        ObjectNode body = answer.body();
        if (step != null) {
            body.put("step", new StepKeys(client, runId).numbered(step));
        }
        JsonNode answered = client.post(
                ApiPath.of("/runs").child(runId).then(":" + verb),
                body,
                UUID.randomUUID().toString());
        if (wantsJson()) {
            printJson(answered);
        } else {
            String answeredStep = Json.text(answered, "step");
            print("Step " + answeredStep + progress(client, answeredStep).orElse(" is " + done + "."));
        }
        return ExitCode.OK;
    }

    /** Progress of a step that waits for further answers; empty if it does not wait any longer. */
    private Optional<String> progress(MillraceClient client, String answeredStep) {
        return client.list(ApiPath.of("/runs").child(runId).then("/waits"), RunsWaitsCommand.WAITS_MAX).stream()
                .filter(wait -> Json.text(wait, "step").equals(answeredStep))
                .findFirst()
                .map(wait -> " has " + wait.path("received").asInt() + " of "
                        + wait.path("required").asInt() + " answers, and waits for the others.");
    }
}
