package dev.millrace.cli;

import dev.millrace.cli.client.Connection;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.context.Choice;
import dev.millrace.cli.context.Connections;
import dev.millrace.cli.context.Contexts;
import dev.millrace.cli.context.ContextsFile;
import dev.millrace.cli.output.Terminal;
import java.net.URI;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of every command that talks to a server. */
public final class ClientOptions {
    /** Format of the result. */
    public enum Format {
        TEXT,
        JSON;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Option(
            names = "--server",
            paramLabel = "URL",
            description =
                    "Address of the gateway (MILLRACE_SERVER; default: the context's, else http://localhost:8400).")
    private @Nullable URI server;

    @Option(
            names = "--context",
            paramLabel = "NAME",
            description = "Context with server, workspace and token (MILLRACE_CONTEXT; default: the current one).")
    private @Nullable String context;

    @Option(
            names = "--workspace",
            paramLabel = "NAME",
            description =
                    "Workspace of what the command is about (MILLRACE_WORKSPACE; default: the context's, else default).")
    private @Nullable String workspace;

    @Option(
            names = "--ca-file",
            paramLabel = "FILE",
            description = "Certificate of the private authority of the gateway, as PEM (MILLRACE_CA_FILE).")
    private @Nullable Path caFile;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            defaultValue = "text",
            description = "text for people, json for programs (default: text).")
    private Format format = Format.TEXT;

    @Option(
            names = "--raw",
            description = "Print control characters of jobs unchanged instead of as \\x1b and the like.")
    private boolean isRaw;

    /** Prints control characters unchanged from this call on, if the user wants that. */
    public void showRawIfAsked(Terminal terminal) {
        if (isRaw) {
            terminal.showRaw();
        }
    }

    public boolean wantsJson() {
        return format == Format.JSON;
    }

    /** What the options say about the server. */
    public Choice choice() {
        return new Choice(
                Optional.ofNullable(server).map(Connection::requireUrl),
                given(context),
                given(workspace),
                Optional.ofNullable(caFile));
    }

    MillraceClient connect(Map<String, String> environment) {
        Contexts contexts = ContextsFile.of(environment).map(ContextsFile::read).orElse(Contexts.NONE);
        return new MillraceClient(
                Connections.choose(choice(), environment, contexts).connection());
    }

    private static Optional<String> given(@Nullable String option) {
        return Optional.ofNullable(option).filter(text -> !text.isEmpty());
    }
}
