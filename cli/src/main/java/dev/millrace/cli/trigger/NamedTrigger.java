package dev.millrace.cli.trigger;

import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.output.Terminal;
import picocli.CommandLine.Parameters;

/** Base of commands for one trigger. */
abstract class NamedTrigger extends ClientCommand {
    @Parameters(index = "0", paramLabel = "KIND", description = "What it listens to: ${COMPLETION-CANDIDATES}.")
    private TriggerKind kind = TriggerKind.webhook;

    @Parameters(index = "1", paramLabel = "PATH", description = "Path of the trigger.")
    private String path = "";

    NamedTrigger(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected final String nameOf(String field) {
        return optionOf(field);
    }

    final TriggerKind kind() {
        return kind;
    }

    final String path() {
        return path;
    }

    /** The trigger in a sentence. */
    final String named() {
        return "the " + kind.text() + " trigger " + path;
    }
}
