package dev.millrace.cli.context;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.Connection;
import dev.millrace.cli.client.Token;
import dev.millrace.cli.context.Choice.Place;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** Finds out which server a command calls, and with which token. */
public final class Connections {
    /** Gateway of {@code millrace dev}. */
    public static final URI SERVER_DEFAULT = URI.create("http://localhost:8400");

    private static final String TOKEN = "MILLRACE_TOKEN";
    private static final String TOKEN_FILE = "MILLRACE_TOKEN_FILE";

    private Connections() {}

    /**
     * A connection and the context that it comes from.
     *
     * @param context name; absent if the server is that of no context
     */
    public record Chosen(Connection connection, Optional<String> context) {}

    /** Chooses the server, workspace, token and authority, each from the first source that names it. */
    public static Chosen choose(Choice options, Map<String, String> environment, Contexts contexts) {
        Choice variables = Choice.of(environment);
        Place place = options.place(contexts, variables.context().or(contexts::current))
                .or(() -> variables.place(contexts, contexts.current()))
                .or(() -> contexts.current()
                        .map(name -> new Place(contexts.require(name).server(), Optional.of(name))))
                .orElseGet(() -> new Place(SERVER_DEFAULT, Optional.empty()));
        Optional<Context> context = place.context().map(contexts::require);
        return new Chosen(
                new Connection(
                        place.server(),
                        options.workspace().or(variables::workspace).or(() -> context.flatMap(Context::workspace)),
                        token(environment)
                                .or(() -> context.flatMap(Context::token)
                                        .map(text -> new Token(
                                                text,
                                                "the context " + place.context().orElseThrow()))),
                        options.caFile().or(variables::caFile).or(() -> context.flatMap(Context::caFile))),
                place.context());
    }

    /** The token that the environment variables give, if any. */
    static Optional<Token> token(Map<String, String> environment) {
        Optional<String> text = Choice.variable(environment, TOKEN);
        Optional<String> file = Choice.variable(environment, TOKEN_FILE);
        if (text.isPresent() && file.isPresent()) {
            throw new CommandFailure(
                    ExitCode.USAGE,
                    TOKEN + " and " + TOKEN_FILE
                            + " are both set, and Millrace cannot know which you mean. Unset one.");
        }
        return text.map(given -> new Token(given.strip(), "the variable " + TOKEN))
                .or(() -> file.map(Connections::fromFile));
    }

    private static Token fromFile(String file) {
        try {
            return new Token(
                    Files.readString(Path.of(file), UTF_8).strip(),
                    "the file " + file + " that " + TOKEN_FILE + " names");
        } catch (IOException e) {
            throw new CommandFailure(
                    ExitCode.NOT_FOUND,
                    "The file " + file + " that " + TOKEN_FILE + " names cannot be read. Check its path and"
                            + " permissions.",
                    e);
        }
    }
}
