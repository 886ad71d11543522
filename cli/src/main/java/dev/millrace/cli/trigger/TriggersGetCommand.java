package dev.millrace.cli.trigger;

import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Terminal;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code millrace triggers get}: shows a trigger with its last changes. */
@Command(name = "get", description = "Show a trigger with its last changes, as JSON.")
public final class TriggersGetCommand extends NamedTrigger {
    @Option(
            names = "--at-version",
            paramLabel = "N",
            description = "Show it as it was in this version, of the last 100.")
    private @Nullable Long version;

    public TriggersGetCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        printJson(client.get(
                version == null ? kind().one(path()) : kind().one(path()).with("version", version.toString())));
        return ExitCode.OK;
    }
}
