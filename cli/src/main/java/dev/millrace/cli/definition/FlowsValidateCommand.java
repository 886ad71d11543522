package dev.millrace.cli.definition;

import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Terminal;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code millrace flows validate}: reports the problems of a definition. */
@Command(name = "validate", description = "Say what is wrong with a flow definition; nothing is stored.")
public final class FlowsValidateCommand extends ClientCommand {
    @Parameters(paramLabel = "FILE", description = "Flow definition (.yaml, .yml or .json).")
    private Path file = Path.of("");

    @Mixin
    private DialectOption dialect = new DialectOption();

    public FlowsValidateCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        FlowFile flow = FlowFile.read(file, dialect);
        FlowFile.Validation validation = flow.validate(client);
        if (wantsJson()) {
            printJson(validation.json());
        } else if (validation.problems().isEmpty()) {
            flow.warnings(validation.json()).forEach(terminal().err()::println);
            print("The flow in " + file + " is valid.");
        } else {
            terminal().err().println(flow.describe(validation.problems()));
        }
        return validation.problems().isEmpty() ? ExitCode.OK : ExitCode.INVALID;
    }
}
