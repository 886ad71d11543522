package dev.millrace.cli.run;

import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.ApiPath;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.ControlCharacters;
import dev.millrace.cli.output.Terminal;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code millrace runs open}: shows the page of a run in the browser. */
@Command(
        name = "open",
        description = {
            "Show a run in the browser.",
            "",
            "The address is printed, too. Where there is no browser, that is all that happens."
        })
public final class RunsOpenCommand extends ClientCommand {
    /** Programs that open an address, of Linux, macOS and Windows. */
    private static final List<String> OPENERS = List.of("xdg-open", "open", "explorer.exe");

    @Parameters(paramLabel = "ID", description = "Id of the run: " + RunIds.FORMS + ".")
    private String runId = "";

    @Option(names = "--print", description = "Only print the address.")
    private boolean printOnly;

    public RunsOpenCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        String id = RunIds.find(client, runId);
        // Says so if there is no such run, before a browser does.
        client.get(ApiPath.of("/runs").child(id));
        String address = address(client, id);
        print(wantsJson() ? Json.compact(Json.object().put("url", address)) : ControlCharacters.line(address));
        if (!printOnly && !wantsJson()) {
            open(address);
        }
        return ExitCode.OK;
    }

    private static String address(MillraceClient client, String id) {
        String server = client.server().toString().replaceFirst("/+$", "");
        String workspace = client.workspace().equals(MillraceClient.WORKSPACE_DEFAULT)
                ? ""
                : "?workspace=" + URLEncoder.encode(client.workspace(), StandardCharsets.UTF_8);
        return server + "/runs/" + id + workspace;
    }

    private void open(String address) {
        for (String opener : OPENERS) {
            try {
                new ProcessBuilder(opener, address)
                        .redirectOutput(Redirect.DISCARD)
                        .redirectError(Redirect.DISCARD)
                        .start();
                return;
            } catch (IOException absent) {
                // The next one may be there.
            }
        }
        terminal().err().println("There is no program here that opens a browser: open the address above.");
    }
}
