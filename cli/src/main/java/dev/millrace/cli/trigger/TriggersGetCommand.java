package dev.millrace.cli.trigger;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.FactList;
import dev.millrace.cli.output.Terminal;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code millrace triggers get}: shows a trigger with its last changes. */
@Command(name = "get", description = "Show a trigger with its last changes.")
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
        JsonNode trigger =
                client.get(kind().one(path()).withIfGiven("version", version == null ? null : version.toString()));
        if (wantsJson()) {
            printJson(trigger);
            return ExitCode.OK;
        }
        FactList facts = new FactList();
        if (kind() == TriggerKind.webhook) {
            facts.add("address", client.webhookAddress(path()));
        }
        facts.addAll(trigger).lines(terminal().paint()).forEach(this::print);
        return ExitCode.OK;
    }
}
