package dev.millrace.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.ServerHelp;
import dev.millrace.cli.client.ApiPath;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Table;
import dev.millrace.cli.output.Terminal;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Unmatched;

/** {@code millrace scripts run}: runs a deployed script, whose parameters are options of the command. */
@Command(
        name = "run",
        description = "Run a deployed script. Its parameters are options: --name VALUE.",
        customSynopsis = "millrace scripts run PATH [--PARAMETER VALUE]... [OPTIONS]",
        footer = {
            "",
            "With PATH, --help also lists the parameters of the script.",
            "VALUE is read by the type of the parameter: text, a number, true or false, JSON for arrays and objects,",
            "or @FILE for what is in a file (@@ for a text that begins with @). Repeat the option for several items of an",
            "array. A parameter with the name of an option of the command goes behind -- or into --input.",
            "",
            "Examples:",
            "  millrace scripts run reports/daily.py --day 2026-01-31 --to ada@example.org --to bob@example.org",
            "  millrace scripts run reports/daily.py --help"
        })
public final class ScriptsRunCommand extends StartingCommand implements ServerHelp {
    @Parameters(index = "0", paramLabel = "PATH", description = "Path of the deployed script.")
    private String path = "";

    @Unmatched
    private List<String> flags = new ArrayList<>();

    public ScriptsRunCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        ObjectNode input = givenInput(client);
        if (!flags.isEmpty()) {
            new ParameterFlags(path, parameters(client)).addTo(input, flags);
        }
        return run(client, input, submission -> submission.submitScript(path));
    }

    @Override
    public boolean hasServerHelp() {
        return !path.isEmpty();
    }

    @Override
    public int showServerHelp() {
        return connected(this::showParameters);
    }

    private ExitCode showParameters(MillraceClient client) {
        ScriptParameters parameters = parameters(client);
        print("");
        if (parameters.all().isEmpty()) {
            print(
                    parameters.isKnown()
                            ? "The script " + path + " takes no parameters."
                            : "The parameters of " + path
                                    + " are not known: its signature cannot be read, or no worker has"
                                    + " read it yet. All names are passed on.");
            return ExitCode.OK;
        }
        print("Parameters of " + path + ":");
        parameters.description().ifPresent(this::print);
        Table table = new Table("OPTION!", "TYPE", "DEFAULT", "DESCRIPTION?");
        for (ScriptParameters.Parameter parameter : parameters.all()) {
            table.row(
                    parameter.flag(),
                    parameter.type(),
                    parameter.isRequired() ? "(required)" : parameter.defaultText(),
                    parameter.description());
        }
        printTable(table);
        return ExitCode.OK;
    }

    private ScriptParameters parameters(MillraceClient client) {
        JsonNode script = client.get(ApiPath.of("/scripts").child(path));
        JsonNode schema = script.path("input_schema");
        return ScriptParameters.of(schema.isObject() ? schema : Json.object());
    }
}
