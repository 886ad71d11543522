package dev.millrace.cli.identity;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.ApiPath;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.input.SecretInput;
import dev.millrace.cli.output.Terminal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code millrace tokens exchange}: gets a token for the JWT of a CI system (RFC 8693). */
@Command(
        name = "exchange",
        description = {
            "Print a token of a service account in exchange for the JWT of a CI system that it trusts.",
            "",
            "The JWT comes from standard input or a file. The token is the only line on standard output."
        },
        footer = {"", "Example:", "  export MILLRACE_TOKEN=$(millrace tokens exchange --workspace team-a < jwt)"})
public final class TokensExchangeCommand extends ClientCommand {
    @Option(names = "--jwt-file", paramLabel = "FILE", description = "Read the JWT from this file.")
    private @Nullable Path jwtFile;

    @Option(
            names = "--service-account",
            paramLabel = "NAME",
            description = "Service account, if several of the workspace trust the JWT.")
    private @Nullable String serviceAccount;

    public TokensExchangeCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        String jwt = (jwtFile == null ? SecretInput.read(terminal(), "JWT") : SecretInput.read(jwtFile)).strip();
        List<String> form = new ArrayList<>(List.of(
                "grant_type",
                "urn:ietf:params:oauth:grant-type:token-exchange",
                "subject_token_type",
                "urn:ietf:params:oauth:token-type:jwt",
                "subject_token",
                jwt,
                "workspace",
                client.workspace()));
        if (serviceAccount != null) {
            form.addAll(List.of("service_account", serviceAccount));
        }
        // The JWT says who calls, so an invalid token of a context does not matter.
        try (MillraceClient anonymous = new MillraceClient(client.connection().with(Optional.empty()))) {
            JsonNode answer = anonymous
                    .postForm(ApiPath.shared("/oauth/token"), form.toArray(String[]::new))
                    .orFail(anonymous.connection());
            printResult(answer, Json.text(answer, "access_token"));
        }
        return ExitCode.OK;
    }
}
