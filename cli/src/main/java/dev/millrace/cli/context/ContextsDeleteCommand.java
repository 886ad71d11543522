package dev.millrace.cli.context;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.cli.output.Terminal;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code millrace contexts delete}: forgets a context. */
@Command(name = "delete", description = "Delete a context with its token; `logout` also revokes the token.")
public final class ContextsDeleteCommand extends ContextCommand {
    @Parameters(paramLabel = "NAME", description = "Name of the context.")
    private String name = "";

    public ContextsDeleteCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    void execute(ContextsFile file) {
        ObjectNode deleted = ContextJson.of(file.read(), name);
        file.update(before -> before.without(name));
        printResult(
                deleted,
                "Deleted the context " + name + "."
                        + (deleted.path("has_token").asBoolean()
                                ? " Its token still works at the server until it expires or is revoked."
                                : ""));
    }
}
