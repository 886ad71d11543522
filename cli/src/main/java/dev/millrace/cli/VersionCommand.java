package dev.millrace.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.output.Terminal;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Option;

/** {@code millrace version}: prints the versions of Millrace and Java. */
@Command(name = "version", description = "Print the version.")
final class VersionCommand implements Runnable, IVersionProvider {
    private final Terminal terminal;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            defaultValue = "text",
            description = "text or json (default: text).")
    private ClientOptions.Format format = ClientOptions.Format.TEXT;

    VersionCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void run() {
        if (format == ClientOptions.Format.JSON) {
            ObjectNode json = Json.object().put("version", number()).put("java", System.getProperty("java.version"));
            terminal.out().println(Json.compact(json));
        } else {
            terminal.out().println("millrace " + number() + " (Java " + System.getProperty("java.version") + ")");
        }
    }

    @Override
    public String[] getVersion() {
        return new String[] {"millrace " + number()};
    }

    /** The version in the jar's manifest; {@code development} if there is none. */
    static String number() {
        return Optional.ofNullable(VersionCommand.class.getPackage().getImplementationVersion())
                .orElse("development");
    }
}
