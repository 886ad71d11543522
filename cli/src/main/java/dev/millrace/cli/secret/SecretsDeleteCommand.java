package dev.millrace.cli.secret;

import dev.millrace.cli.output.Terminal;
import picocli.CommandLine.Command;

/** {@code millrace secrets delete}: erases a secret. */
@Command(
        name = "delete",
        description = "Erase a secret and its value. What an external store holds stays there. Refused while flows or"
                + " resources refer to it.")
public final class SecretsDeleteCommand extends DeletingValue {
    public SecretsDeleteCommand(Terminal terminal) {
        super(terminal, "secret");
    }
}
