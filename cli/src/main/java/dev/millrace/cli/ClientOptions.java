package dev.millrace.cli;

import dev.millrace.cli.client.MillraceClient;
import java.net.URI;
import java.util.Locale;
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
            defaultValue = "${env:MILLRACE_SERVER:-http://localhost:8400}",
            description = "Address of the gateway (MILLRACE_SERVER; default: http://localhost:8400).")
    private URI server = URI.create("http://localhost:8400");

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
        return new MillraceClient(server);
    }
}
