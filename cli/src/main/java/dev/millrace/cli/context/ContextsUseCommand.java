package dev.millrace.cli.context;

import dev.millrace.cli.output.Terminal;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code millrace contexts use}: makes a context the current one. */
@Command(name = "use", description = "Make a context the current one.")
public final class ContextsUseCommand extends ContextCommand {
    @Parameters(paramLabel = "NAME", description = "Name of the context.")
    private String name = "";

    public ContextsUseCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    void execute(ContextsFile file) {
        Contexts contexts = file.update(before -> before.using(name));
        printResult(
                ContextJson.of(contexts, name),
                "Commands use the context " + name + " with "
                        + contexts.require(name).server() + " from now on.");
    }
}
