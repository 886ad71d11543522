package dev.millrace.cli.definition;

import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.ApiPath;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Table;
import dev.millrace.cli.output.Terminal;
import dev.millrace.cli.output.Times;
import picocli.CommandLine.Parameters;

/** A command that lists the versions to which a path has led. */
abstract class VersionsCommand extends ClientCommand {
    private static final int VERSIONS_MAX = 10_000;

    @Parameters(paramLabel = "PATH", description = "Path of the flow or script.")
    private String path = "";

    private final String kind;

    /** @param kind {@code flow} or {@code script} */
    VersionsCommand(Terminal terminal, String kind) {
        super(terminal);
        this.kind = kind;
    }

    @Override
    protected final ExitCode execute(MillraceClient client) {
        Table table = new Table("NUMBER>", "DEPLOYED", "BY", "MESSAGE", "CURRENT", "HASH!");
        printList(
                client.list(ApiPath.of("/" + kind + "-versions").child(path), VERSIONS_MAX),
                "No deployment of the " + kind + " " + path + " is known. Look for a typing error in its path.",
                table,
                version -> table.row(
                        version.path("number").asText(),
                        Times.text(Json.text(version, "deploy_time")),
                        Json.text(version, "actor"),
                        Json.text(version, "message"),
                        version.path("current").asBoolean() ? "yes" : "",
                        Json.text(version, "hash")));
        return ExitCode.OK;
    }
}
