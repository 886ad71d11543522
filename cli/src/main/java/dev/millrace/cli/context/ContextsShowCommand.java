package dev.millrace.cli.context;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.output.Launcher;
import dev.millrace.cli.output.Terminal;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code millrace contexts show}: shows a context without its token. */
@Command(name = "show", description = "Show a context, without its token.")
public final class ContextsShowCommand extends ContextCommand {
    @Parameters(arity = "0..1", paramLabel = "NAME", description = "Name of the context (default: the current one).")
    private @Nullable String name;

    public ContextsShowCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    void execute(ContextsFile file) {
        Contexts contexts = file.read();
        String shown = Optional.ofNullable(name)
                .or(contexts::current)
                .orElseThrow(() -> new CommandFailure(
                        ExitCode.USAGE,
                        "No context is the current one. Name one, or choose one with: " + Launcher.NAME
                                + " contexts use NAME"));
        ObjectNode json = ContextJson.of(contexts, shown);
        if (wantsJson()) {
            printJson(json);
            return;
        }
        print("Context " + shown + (json.path("current").asBoolean() ? " (current)" : ""));
        print("Server:    " + Json.text(json, "server"));
        print("Workspace: " + (json.has("workspace") ? Json.text(json, "workspace") : "the server's default"));
        print("Token:     " + (json.path("has_token").asBoolean() ? "stored in " + file.path() : "none"));
        print("Authority: " + (json.has("ca_file") ? Json.text(json, "ca_file") : "those that the machine trusts"));
    }
}
