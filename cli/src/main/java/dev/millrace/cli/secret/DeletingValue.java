package dev.millrace.cli.secret;

import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.ApiPath;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Terminal;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Base of commands that delete a secret or a resource. */
abstract class DeletingValue extends ClientCommand {
    private final String kind;

    @Parameters(paramLabel = "PATH", description = "Path within the workspace.")
    private String path = "";

    @Option(names = "--force", description = "Delete it even if deployed flows refer to it.")
    private boolean isForced;

    /** @param kind what is deleted; its plural is a part of the address */
    DeletingValue(Terminal terminal, String kind) {
        super(terminal);
        this.kind = kind;
    }

    @Override
    protected final String nameOf(String field) {
        return optionOf(field);
    }

    @Override
    protected final ExitCode execute(MillraceClient client) {
        ApiPath target = ApiPath.of("/" + kind + "s").child(path);
        printResult(
                client.delete(isForced ? target.with("force", "true") : target),
                "Deleted the " + kind + " " + path + ".");
        return ExitCode.OK;
    }
}
