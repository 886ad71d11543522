package dev.millrace.cli.login;

import dev.millrace.cli.ClientOptions;
import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.OutputCommand;
import dev.millrace.cli.client.ApiPath;
import dev.millrace.cli.client.Connection;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.client.Token;
import dev.millrace.cli.context.Connections;
import dev.millrace.cli.context.Context;
import dev.millrace.cli.context.Contexts;
import dev.millrace.cli.context.ContextsFile;
import dev.millrace.cli.output.Terminal;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code millrace logout}: revokes the token of a context and deletes it. */
@Command(
        name = "logout",
        description = "Revoke the token of the context at the server, and delete it from the context.")
public final class LogoutCommand extends OutputCommand {
    @Mixin
    private ClientOptions options = new ClientOptions();

    public LogoutCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected boolean wantsJson() {
        return options.wantsJson();
    }

    @Override
    public Integer call() {
        ContextsFile file = ContextsFile.require(terminal().environment());
        Contexts contexts = file.read();
        String name = Connections.choose(options.choice(), terminal().environment(), contexts)
                .context()
                .orElseThrow(() -> new CommandFailure(
                        ExitCode.USAGE,
                        "No context is in use, so there is no token to give back. Name one with: --context NAME"));
        Context context = contexts.require(name);
        String token = context.token()
                .orElseThrow(() -> new CommandFailure(ExitCode.USAGE, "The context " + name + " has no token."));
        boolean wasValid = revoke(new Connection(
                context.server(),
                Optional.empty(),
                Optional.of(new Token(token, "the context " + name)),
                options.choice().caFile().or(context::caFile)));
        file.update(before -> before.with(name, before.require(name).withToken(Optional.empty())));
        printResult(
                Json.object().put("context", name).put("revoked", wasValid),
                wasValid
                        ? "Logged out: the token of the context " + name + " is revoked and deleted."
                        : "Logged out: the token of the context " + name + " was invalid already and is deleted.");
        return ExitCode.OK.number();
    }

    /** Returns false if the server does not know the token, or knows it no longer. */
    private static boolean revoke(Connection connection) {
        try (MillraceClient client = new MillraceClient(connection)) {
            client.delete(ApiPath.shared("/tokens/current"));
            return true;
        } catch (CommandFailure failure) {
            if (failure.exitCode() == ExitCode.NOT_ALLOWED) {
                return false;
            }
            throw failure;
        }
    }
}
