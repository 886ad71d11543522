package dev.millrace.cli.secret;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.ApiPath;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.input.SecretInput;
import dev.millrace.cli.output.Terminal;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code millrace secrets set}: gives a secret a value, which never is an argument. */
@Command(
        name = "set",
        description = {
            "Create a secret, or give it a new value.",
            "",
            "The value comes from a prompt, from standard input (without the line end after it), or from a file as it"
                    + " is. It is no option, because every user of the machine can see the options of commands."
        },
        footer = {
            "",
            "Examples:",
            "  millrace secrets set shop/api_key",
            "  millrace secrets set shop/tls_key --value-file key.pem",
            "  pass show shop | millrace secrets set shop/api_key"
        })
public final class SecretsSetCommand extends ClientCommand {
    static final ApiPath SECRETS = ApiPath.of("/secrets");

    /** Where a value lies. */
    enum Store {
        LOCAL,
        FOLDER,
        VAULT;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Parameters(
            index = "0",
            paramLabel = "PATH",
            description = "Path of the secret, such as shop/api_key; its first part is the folder.")
    private String path = "";

    // Without it, the usual refusal of a surplus argument would repeat the value.
    @Parameters(index = "1..*", arity = "0..*", hidden = true)
    private List<String> surplus = List.of();

    @Option(names = "--value-file", paramLabel = "FILE", description = "Read the value from this file, as it is.")
    private @Nullable Path valueFile;

    @Option(
            names = "--store",
            paramLabel = "STORE",
            description = "Where the value lies: local, folder or vault (default: local). The others hold it already.")
    private Store store = Store.LOCAL;

    @Option(names = "--description", paramLabel = "TEXT", description = "What the secret is for.")
    private @Nullable String description;

    @Option(names = "--create-only", description = "Fail if the secret exists.")
    private boolean isNew;

    public SecretsSetCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        if (!surplus.isEmpty()) {
            throw new CommandFailure(
                    ExitCode.USAGE,
                    "A value is no argument, because every user of the machine can see arguments, and the shell keeps them."
                            + " Nothing was changed: leave the value out, and it is asked for; replace it if it is in use.");
        }
        ObjectNode body = Json.object();
        if (store == Store.LOCAL) {
            body.put("value", value());
        } else if (valueFile != null) {
            throw new CommandFailure(
                    ExitCode.USAGE,
                    "The store " + store + " holds the value already. Leave --value-file out, or use --store local.");
        } else {
            body.put("store", store.toString());
        }
        if (description != null) {
            body.put("description", description);
        }
        if (isNew) {
            body.put("create_only", true);
        }
        JsonNode secret = client.put(SECRETS.child(path), body);
        printResult(
                secret,
                "Set the secret " + path + " (version " + Json.text(secret, "version")
                        + "). Steps that begin from now on use it.");
        return ExitCode.OK;
    }

    private String value() {
        String value =
                valueFile == null ? SecretInput.read(terminal(), "Value of " + path) : SecretInput.read(valueFile);
        if (value.isEmpty()) {
            throw new CommandFailure(
                    ExitCode.INVALID, "The value of the secret " + path + " is empty, so nothing was changed.");
        }
        return value;
    }
}
