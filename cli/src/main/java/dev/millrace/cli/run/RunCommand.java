package dev.millrace.cli.run;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.definition.DialectOption;
import dev.millrace.cli.output.Terminal;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code millrace run}: sends a file to the server if one is named, starts a run and waits for its result. */
@Command(
        name = "run",
        description =
                "Run a script file (.py, .ts, .js, .sh, .go, .sql), a flow file (.yaml, .yml, .json), or a deployed flow or script.",
        footer = {
            "",
            "The result goes to standard output. Ctrl-C stops waiting; the run goes on.",
            "",
            "Examples:",
            "  millrace run examples/hello/hello.py -i name=Ada",
            "  millrace run examples/wordcount/flow.yaml --input-file examples/wordcount/in.json --watch"
        })
public final class RunCommand extends StartingCommand {
    @Parameters(paramLabel = "FILE|PATH", description = "File, or path of a deployed flow or script.")
    private String target = "";

    @Option(
            names = "--env",
            paramLabel = "NAME=VALUE",
            description = "Another value for a variable of the flow's environment, in the form of --input. Repeatable.")
    private List<String> env = new ArrayList<>();

    @Mixin
    private DialectOption dialect = new DialectOption();

    public RunCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        return run(client, givenInput(client), submission -> submission.submit(target, dialect));
    }

    @Override
    void addTo(ObjectNode body) {
        if (!env.isEmpty()) {
            body.set("env", RunInput.environment(env));
        }
    }
}
