package dev.millrace.cli.identity;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.ApiPath;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.ControlCharacters;
import dev.millrace.cli.output.Terminal;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code millrace tokens revoke}: makes tokens useless. */
@Command(name = "revoke", description = "Revoke tokens, which stop working within seconds.")
public final class TokensRevokeCommand extends ClientCommand {
    @Parameters(arity = "1..*", paramLabel = "ID", description = "Ids of tokens, as `tokens list` shows them.")
    private List<String> ids = List.of();

    @Option(
            names = "--issued",
            paramLabel = "WHICH",
            description =
                    "Which tokens that were issued by it end with it: none, own (those of the same user or service"
                            + " account; the default) or all.")
    private String issued = "";

    public TokensRevokeCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        ObjectNode result = Json.object();
        ArrayNode revoked = result.putArray("items");
        for (String id : ids) {
            ApiPath path = ApiPath.shared("/tokens").child(id);
            JsonNode token = client.delete(issued.isEmpty() ? path : path.with("issued", issued));
            revoked.add(token);
            if (!wantsJson()) {
                int others = token.path("issued_revoked").asInt();
                print("Revoked the token " + ControlCharacters.line(Json.text(token, "name")) + " (" + id + ")"
                        + (others == 0 ? "." : ", and " + others + " that were issued by it."));
            }
        }
        if (wantsJson()) {
            printJson(result);
        }
        return ExitCode.OK;
    }
}
