package dev.millrace.cli.login;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.cli.ClientOptions;
import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.OutputCommand;
import dev.millrace.cli.client.ApiPath;
import dev.millrace.cli.client.Connection;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.client.Token;
import dev.millrace.cli.context.ContextsFile;
import dev.millrace.cli.input.SecretInput;
import dev.millrace.cli.output.ControlCharacters;
import dev.millrace.cli.output.Terminal;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code millrace login}: gets a token for a person and keeps it in a context. */
@Command(
        name = "login",
        description = {
            "Log in to a server, and keep the token in a context, which becomes the current one.",
            "",
            "You approve the login in a browser, on this machine or any other."
        })
public final class LoginCommand extends OutputCommand {
    @Mixin
    private ClientOptions options = new ClientOptions();

    @Option(names = "--token-stdin", description = "Read a token that you have from standard input.")
    private boolean isTokenGiven;

    public LoginCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected boolean wantsJson() {
        return options.wantsJson();
    }

    @Override
    public Integer call() {
        ContextsFile file = ContextsFile.require(terminal().environment());
        LoginTarget target = LoginTarget.choose(options.choice(), terminal().environment(), file.read());
        // Before a person approves the login, for its token would be on the way already.
        Connection.requireSafe(target.context().server(), "The token of the login");
        Token token = isTokenGiven
                ? new Token(SecretInput.read(terminal(), "Token").strip(), "standard input")
                : tokenOfDevice(target);
        try (MillraceClient client = new MillraceClient(target.connection().with(Optional.of(token)))) {
            JsonNode caller = client.get(ApiPath.shared("/whoami"));
            file.update(before -> before.with(target.name(), target.context().withToken(Optional.of(token.text())))
                    .using(target.name()));
            printResult(
                    caller,
                    "Logged in to " + client.server() + " as " + WhoamiCommand.name(caller)
                            + ". The token is in the context " + target.name() + ", the current one.");
        }
        warnOfVariables();
        return ExitCode.OK.number();
    }

    private Token tokenOfDevice(LoginTarget target) {
        try (MillraceClient client = new MillraceClient(target.connection())) {
            DeviceLogin login = new DeviceLogin(client, LoginCommand::pause);
            DeviceCode code = login.begin();
            String page = code.pageWithCode().isEmpty() ? code.page() : code.pageWithCode();
            // A program may read standard output.
            terminal().err().println("Open this page in a browser: " + ControlCharacters.line(page));
            terminal()
                    .err()
                    .println("It must show this code:      "
                            + terminal().paint().bold(ControlCharacters.line(code.userCode())));
            terminal().err().println("Waiting for you to approve the login there ...");
            return login.await(code);
        }
    }

    /** The variables come before the context, so the login would seem to have no effect. */
    private void warnOfVariables() {
        for (String variable : new String[] {"MILLRACE_TOKEN", "MILLRACE_TOKEN_FILE"}) {
            if (!terminal().environment().getOrDefault(variable, "").isEmpty()) {
                terminal()
                        .err()
                        .println("The variable " + variable
                                + " is set and comes before the context: unset it to use this login.");
            }
        }
    }

    private static void pause(Duration time) {
        try {
            Thread.sleep(time);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailure(ExitCode.INTERRUPTED, "The login was interrupted.", e);
        }
    }
}
