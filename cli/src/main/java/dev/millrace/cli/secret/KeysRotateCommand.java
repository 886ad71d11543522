package dev.millrace.cli.secret;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.ApiPath;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Terminal;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code millrace keys rotate}: wraps the keys of all workspaces with the current key-encryption key. */
@Command(
        name = "rotate",
        description = "Read the key-encryption keys again, and wrap the keys of all workspaces with the current one.")
public final class KeysRotateCommand extends ClientCommand {
    @Option(names = "--data", description = "Also give each workspace a new key, and encrypt all values again.")
    private boolean isOfData;

    public KeysRotateCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        JsonNode done = client.post(
                ApiPath.shared("/keys").then(":rotate"), Json.object().put("data", isOfData));
        long waiting = done.path("values_waiting").asLong();
        printResult(
                done,
                "The key " + Json.text(done, "key_id") + " wraps the keys of all workspaces; "
                        + Json.text(done, "workspaces") + " changed."
                        + (waiting > 0
                                ? " " + waiting
                                        + " values wait to be encrypted again; `keys list` shows how many are left."
                                : ""));
        return ExitCode.OK;
    }
}
