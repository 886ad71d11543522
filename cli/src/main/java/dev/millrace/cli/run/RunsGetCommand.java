package dev.millrace.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.ApiPath;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.client.Run;
import dev.millrace.cli.client.RunError;
import dev.millrace.cli.client.State;
import dev.millrace.cli.client.Step;
import dev.millrace.cli.output.FactList;
import dev.millrace.cli.output.Launcher;
import dev.millrace.cli.output.StepTree;
import dev.millrace.cli.output.Terminal;
import dev.millrace.cli.output.Times;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code millrace runs get}: shows one run with its steps. */
@Command(name = "get", description = "Show a run with its steps, its input and its result.")
public final class RunsGetCommand extends ClientCommand {
    private static final int STEPS_MAX = 10_000;
    private static final int CHILDREN_MAX = 100;
    /** Number of ended loops that are asked for the number of their iterations. */
    private static final int TOTALS_MAX = 5;

    @Parameters(paramLabel = "ID", description = "Id of the run: " + RunIds.FORMS + ".")
    private String runId = "";

    @Option(names = "--step", paramLabel = "KEY", description = "Show this step alone, with its input and its result.")
    private @Nullable String step;

    @Option(
            names = "--iteration",
            paramLabel = "KEY",
            description = "Show only the steps inside this iteration, for example count[3].")
    private @Nullable String iteration;

    @Option(
            names = "--all-steps",
            description = "Also list the steps inside loops of more than 20 iterations, which are one line otherwise.")
    private boolean wantsAllSteps;

    public RunsGetCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        runId = RunIds.find(client, runId);
        ApiPath path = ApiPath.of("/runs").child(runId);
        StepKeys keys = new StepKeys(client, runId);
        if (step != null) {
            return showStep(client, path, keys.numbered(step));
        }
        JsonNode json = client.get(path);
        ApiPath all = path.then("/steps");
        List<JsonNode> steps = client.list(
                iteration == null
                        ? all.with("fold_loops", String.valueOf(!wantsAllSteps))
                        : all.with("iteration", keys.numbered(iteration)),
                STEPS_MAX);
        if (wantsJson()) {
            ObjectNode whole = Json.object();
            whole.set("run", json);
            whole.putArray("steps").addAll(steps);
            printJson(whole);
        } else {
            StepTree tree = new StepTree();
            steps.forEach(it -> tree.put(Step.of(it)));
            addTotals(client, path, tree);
            tree.nameBranches(keys::branches);
            printText(Run.of(json), tree, keys);
        }
        return ExitCode.OK;
    }

    private ExitCode showStep(MillraceClient client, ApiPath path, String key) {
        List<JsonNode> found = client.list(path.then("/steps").with("step", key).with("include_payloads", "true"), 1);
        if (found.isEmpty()) {
            throw new CommandFailure(
                    ExitCode.NOT_FOUND,
                    "The run has no step " + key + " that has begun: " + Launcher.NAME + " runs get " + runId);
        }
        if (wantsJson()) {
            printJson(found.getLast());
        } else {
            printStep(found.getLast());
        }
        return ExitCode.OK;
    }

    private void printStep(JsonNode json) {
        ObjectNode facts = json.deepCopy();
        facts.remove("error");
        FactList list = new FactList().addAll(facts);
        Step.of(json)
                .error()
                .ifPresent(error -> list.add(
                        "error",
                        error.name() + ": " + error.message()
                                + error.stackBeyondMessage()
                                        .map(stack -> "\n" + stack)
                                        .orElse("")));
        list.lines(terminal().paint()).forEach(this::print);
    }

    private void printError(RunError error, StepKeys keys) {
        print("error    " + error.name() + ": " + keys.shownIn(error.message()));
        error.stackBeyondMessage().ifPresent(this::print);
    }

    /** A loop that has ended early has iterations that never began. The steps do not tell how many. */
    private void addTotals(MillraceClient client, ApiPath run, StepTree tree) {
        tree.steps().stream()
                .filter(it -> it.kind().equals("for_each") && it.iterations().isEmpty())
                .filter(it -> it.state() == State.FAILED || it.state() == State.CANCELED)
                .map(Step::key)
                .limit(TOTALS_MAX)
                .toList()
                .forEach(loop -> tree.putTotal(
                        loop,
                        client.get(run.then("/iterations").with("loop", loop).with("page_size", "1"))
                                .at("/counts/total")
                                .asInt()));
    }

    private void printText(Run run, StepTree tree, StepKeys keys) {
        tree.lines(Optional.of(run), terminal().paint(), CHILDREN_MAX).forEach(this::print);
        print("");
        print("id       " + run.id());
        print("created  " + run.createTime().map(Times::text).orElse(""));
        if (run.json().has("wait_reason")) {
            print("waiting  " + run.json().path("wait_reason").asText());
        }
        if (run.json().has("origin")) {
            print("origin   " + run.json().at("/origin/relation").asText() + " of "
                    + run.json().at("/origin/run_id").asText() + " "
                    + run.json().at("/origin/step").asText());
        }
        if (run.json().has("trigger")) {
            print("trigger  " + run.json().at("/trigger/kind").asText() + " "
                    + run.json().at("/trigger/path").asText());
        }
        if (run.json().has("started_by")) {
            print("by       " + run.json().path("started_by").asText());
        }
        if (run.json().has("progress")) {
            print("progress " + Json.compact(run.json().path("progress")));
        }
        print("input    " + Json.compact(run.json().path("input")));
        if (run.state() == State.SUCCEEDED) {
            print("output   " + Json.pretty(run.output(), terminal().paint()));
            if (run.json().path("from_cache").asBoolean()) {
                print("cached   the output is that of an earlier run with the same input");
            }
        }
        run.error().ifPresent(error -> printError(error, keys));
    }
}
