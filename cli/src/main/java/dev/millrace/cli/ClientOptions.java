package dev.millrace.cli;

import dev.millrace.cli.client.MillraceClient;
import java.net.URI;
import java.util.Locale;
import java.util.regex.Pattern;
import picocli.CommandLine.Option;

/** Options of every command that talks to a server. */
public final class ClientOptions {
    private static final Pattern WORKSPACE = Pattern.compile("[a-z0-9][a-z0-9_-]{0,63}");

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
            defaultValue = "${env:MILLRACE_SERVER:-http://localhost:8400}",
            description = "Address of the gateway (MILLRACE_SERVER; default: http://localhost:8400).")
    private URI server = URI.create("http://localhost:8400");

    @Option(
            names = "--workspace",
            paramLabel = "NAME",
            defaultValue = "${env:MILLRACE_WORKSPACE:-default}",
            description = "Workspace of the flows, scripts and runs (MILLRACE_WORKSPACE; default: default).")
    private String workspace = MillraceClient.WORKSPACE_DEFAULT;

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

    boolean isRaw() {
        return isRaw;
    }

    public boolean wantsJson() {
        return format == Format.JSON;
    }

    MillraceClient connect() {
        if (server.getHost() == null
                || server.getScheme() == null
                || !server.getScheme().matches("https?")) {
            throw new CommandFailure(
                    ExitCode.USAGE,
                    "The server address '" + server
                            + "' is not an http or https URL. Write it like http://localhost:8400.");
        }
        String name = workspace.isEmpty() ? MillraceClient.WORKSPACE_DEFAULT : workspace;
        if (!WORKSPACE.matcher(name).matches()) {
            throw new CommandFailure(
                    ExitCode.USAGE,
                    "The workspace '" + name + "' is no name (expected: 1 to 64 characters a-z, 0-9, '_' and '-',"
                            + " the first a letter or digit). Name one with --workspace or MILLRACE_WORKSPACE.");
        }
        return new MillraceClient(server, name);
    }
}
