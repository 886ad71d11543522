package dev.millrace.cli.identity;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.context.PrivateFile;
import dev.millrace.cli.output.Launcher;
import dev.millrace.cli.output.Terminal;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code millrace tokens create}: issues a token. Its text is the only line on standard output, so that programs can
 * take it from there, or goes to a file that only this user may read.
 */
@Command(
        name = "create",
        description = "Issue a token: yours, or with one of the options one for somebody or something else.",
        footer = {
            "",
            "Examples:",
            "  millrace tokens create --name laptop --valid-for 30d",
            "  millrace tokens create --service-account ci --name nightly --folder reports --out ci.token",
            "  millrace tokens create --worker --name gpu-1 --tags gpu --out worker.token"
        })
public final class TokensCreateCommand extends ClientCommand {
    @ArgGroup(heading = "For whom (default: yourself):%n")
    private TokenOwner owner = new TokenOwner();

    @Option(names = "--name", paramLabel = "TEXT", required = true, description = "What the token is for.")
    private String name = "";

    @Option(
            names = "--valid-for",
            paramLabel = "TIME",
            description = "Time until it expires, such as 12h or 30d (default: 90d; workers and gateways: forever).")
    private @Nullable String validFor;

    @Option(names = "--workspace-only", description = "Only in the workspace of --workspace or the context.")
    private boolean isWorkspaceOnly;

    @Option(names = "--workspaces", split = ",", paramLabel = "NAME", description = "Only in these workspaces.")
    private List<String> workspaces = List.of();

    @Option(names = "--folder", split = ",", paramLabel = "NAME", description = "Only in these folders.")
    private List<String> folders = List.of();

    @Option(
            names = "--role-max",
            paramLabel = "ROLE",
            description = "At most this role: viewer, runner, developer, admin or owner.")
    private @Nullable String roleMax;

    @Option(names = "--tags", split = ",", paramLabel = "TAG", description = "Only jobs with these tags; for workers.")
    private List<String> tags = List.of();

    @Option(
            names = "--out",
            paramLabel = "FILE",
            description = "Write the token to this file, which only you may read, instead of standard output.")
    private @Nullable Path out;

    public TokensCreateCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        ObjectNode wish = wish(client);
        if (out == null) {
            printSecret(client.post(owner.path(), wish));
            return ExitCode.OK;
        }
        // A token that nobody can read would be worse than none, so the file comes first.
        try (PrivateFile file = PrivateFile.prepare(out)) {
            JsonNode issued = client.post(owner.path(), wish);
            write(file, out, issued);
            ObjectNode shown = Json.object();
            shown.set("token", issued.path("token"));
            shown.put("file", out.toString());
            printResult(shown, "Wrote the token to " + out + ": " + TokenText.of(issued.path("token")) + ".");
        } catch (IOException e) {
            throw new CommandFailure(
                    ExitCode.USAGE,
                    "The file " + out + " cannot be written: " + e + ". Check the folder and its permissions.",
                    e);
        }
        return ExitCode.OK;
    }

    private static void write(PrivateFile file, Path out, JsonNode issued) {
        try {
            file.replace(Json.text(issued, "secret") + "\n");
        } catch (IOException e) {
            throw new CommandFailure(
                    ExitCode.USAGE,
                    "The token could not be written to " + out + " and is lost: " + e + ". Revoke it with: "
                            + Launcher.NAME + " tokens revoke " + Json.text(issued.path("token"), "id"),
                    e);
        }
    }

    private void printSecret(JsonNode issued) {
        if (wantsJson()) {
            printJson(issued);
            return;
        }
        terminal().err().println("Created the token " + TokenText.of(issued.path("token")) + ".");
        terminal().err().println("Copy it now, for it cannot be shown again:");
        print(Json.text(issued, "secret"));
    }

    private ObjectNode wish(MillraceClient client) {
        ObjectNode body = Json.object().put("name", name);
        owner.user().ifPresent(user -> body.put("user", user));
        if (owner.isShared()) {
            body.put("kind", owner.sharedKind());
        }
        if (validFor != null) {
            body.put("valid_for", validFor);
        }
        List<String> only = workspaces(client);
        require(
                tags.isEmpty() || owner.isForJobs(),
                "--tags is for tokens of workers: add --worker or --shared-worker.");
        if (owner.isOfPrincipal()) {
            restrict(body, only);
            return body;
        }
        require(folders.isEmpty() && roleMax == null, "--folder and --role-max are for tokens of people and programs.");
        require(only.isEmpty() || owner.isSharedWorker(), "This token cannot be cut to workspaces.");
        put(body, "workspaces", only);
        put(body, "tags", tags);
        return body;
    }

    private List<String> workspaces(MillraceClient client) {
        require(workspaces.isEmpty() || !isWorkspaceOnly, "--workspace-only and --workspaces exclude each other.");
        return isWorkspaceOnly ? List.of(client.workspace()) : workspaces;
    }

    private void restrict(ObjectNode body, List<String> only) {
        ObjectNode restrictions = Json.object();
        put(restrictions, "workspaces", only);
        put(restrictions, "folders", folders);
        if (roleMax != null) {
            restrictions.put("role_max", roleMax);
        }
        if (!restrictions.isEmpty()) {
            body.set("restrictions", restrictions);
        }
    }

    private static void put(ObjectNode object, String field, List<String> values) {
        if (!values.isEmpty()) {
            values.forEach(object.withArray(field)::add);
        }
    }

    private static void require(boolean isMet, String otherwise) {
        if (!isMet) {
            throw new CommandFailure(ExitCode.USAGE, otherwise);
        }
    }
}
