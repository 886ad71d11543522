package dev.millrace.cli.definition;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.ApiPath;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Launcher;
import dev.millrace.cli.output.Terminal;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code millrace flows deploy}: stores a version of a flow and makes it current. */
@Command(name = "deploy", description = "Store a flow with the scripts beside it, as the current version of its path.")
public final class FlowsDeployCommand extends ClientCommand {
    @Parameters(paramLabel = "FILE", description = "Flow definition (.yaml, .yml or .json).")
    private Path file = Path.of("");

    @Mixin
    private DialectOption dialect = new DialectOption();

    @Option(
            names = "--path",
            paramLabel = "PATH",
            defaultValue = "",
            description = "Path of the flow (default: the name in the definition).")
    private String path = "";

    @Option(
            names = {"-m", "--message"},
            paramLabel = "TEXT",
            defaultValue = "",
            description = "What the deployment is about, for the list of versions.")
    private String message = "";

    @Option(
            names = "--dry-run",
            description = "Deploy nothing: show what would change, or fail as the deployment would fail.")
    private boolean isDryRun;

    @Mixin
    private PreparationOption preparation = new PreparationOption();

    public FlowsDeployCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        FlowFile definition = FlowFile.read(file, dialect);
        if (isDryRun) {
            show(client, definition, definition.plan(client, path, terminal().err()::println));
            return ExitCode.OK;
        }
        JsonNode flow = definition.deploy(client, path, message, terminal().err()::println);
        if (wantsJson()) {
            printJson(flow);
        } else {
            definition.warnings(flow).forEach(terminal().err()::println);
            String deployed = flow.path("path").asText();
            flow.path("triggers")
                    .forEach(trigger -> print(Declared.sentence(trigger, "was") + address(client, trigger)));
            print("Deployed flow " + deployed + ". Run it with: " + Launcher.NAME + " run " + deployed);
        }
        preparation.end(terminal(), client, List.of(flow));
        if (!wantsJson() && !Preparation.of(flow).isEmpty()) {
            definition.laterWarnings(client, flow).forEach(terminal().err()::println);
        }
        return ExitCode.OK;
    }

    private static String address(MillraceClient client, JsonNode trigger) {
        boolean isCalled = trigger.path("kind").asText().equals("webhook")
                && !trigger.path("change").asText().equals("deleted");
        return isCalled
                ? " Its address is "
                        + client.webhookAddress(trigger.path("path").asText()) + "."
                : "";
    }

    private void show(MillraceClient client, FlowFile definition, FlowFile.Plan plan) {
        if (wantsJson()) {
            printJson(plan.json());
            return;
        }
        definition.warnings(plan.json()).forEach(terminal().err()::println);
        new FlowChange(plan, file.toString(), definition.definition(), (script, hash) -> deployed(client, script, hash))
                .describe()
                .forEach(this::print);
        print("Nothing was deployed.");
    }

    private static String deployed(MillraceClient client, String script, String hash) {
        return client.get(ApiPath.of("/scripts").child(script).with("hash", hash))
                .path("content")
                .asText();
    }
}
