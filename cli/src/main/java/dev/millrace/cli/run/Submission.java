package dev.millrace.cli.run;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.ApiPath;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.client.Run;
import dev.millrace.cli.definition.DialectOption;
import dev.millrace.cli.definition.FlowFile;
import dev.millrace.cli.definition.ScriptFile;
import dev.millrace.cli.output.Launcher;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Starts a run of a file, or of a deployed flow or script.
 *
 * @param patience how long the server may delay its answer to wait for the end of the run, for example {@code 2s};
 *     empty means not at all
 * @param options body of the request without its target
 * @param notices receives a line for each request of a flow file that has no effect
 */
public record Submission(
        MillraceClient client,
        Optional<String> patience,
        ObjectNode options,
        String requestId,
        Consumer<String> notices) {
    /** A body whose only option is the input. */
    public static ObjectNode body(ObjectNode input) {
        ObjectNode body = Json.object();
        body.set("input", input);
        return body;
    }

    /** Starts the run. It may have ended by the time this returns. */
    public Run submit(String target) {
        return submit(target, new DialectOption());
    }

    /** Starts a run of the target. The dialect counts if the target is a flow in a file. */
    public Run submit(String target, DialectOption dialect) {
        Path file = Path.of(target);
        if (Files.isRegularFile(file)) {
            if (ScriptFile.isScript(target)) {
                return post("script_hash", ScriptFile.read(file).store(client));
            }
            if (FlowFile.isFlow(target)) {
                return post("flow_hash", FlowFile.read(file, dialect).store(client, notices));
            }
            throw new CommandFailure(
                    ExitCode.USAGE,
                    "The file " + target
                            + " is neither a script (.py, .ts, .js) nor a flow (.yaml, .yml, .json) by its name.");
        }
        return ScriptFile.isScript(target)
                ? submitDeployed("script", "flow", target)
                : submitDeployed("flow", "script", target);
    }

    /** Starts a run of a deployed script. */
    Run submitScript(String path) {
        return post("script", path);
    }

    private Run submitDeployed(String firstKind, String secondKind, String path) {
        try {
            return post(firstKind, path);
        } catch (CommandFailure first) {
            if (first.exitCode() != ExitCode.NOT_FOUND) {
                throw first;
            }
        }
        try {
            return post(secondKind, path);
        } catch (CommandFailure second) {
            if (second.exitCode() != ExitCode.NOT_FOUND) {
                throw second;
            }
            throw new CommandFailure(
                    ExitCode.NOT_FOUND,
                    "There is no file " + path + " here, and no flow or script of that path on " + client.server()
                            + ". See what is deployed with: " + Launcher.NAME + " flows list",
                    second);
        }
    }

    private Run post(String kind, String reference) {
        ObjectNode body = options.deepCopy();
        body.putObject("target").put(kind, reference);
        ApiPath runs = ApiPath.of("/runs");
        return Run.of(client.post(patience.map(time -> runs.with("wait", time)).orElse(runs), body, requestId));
    }
}
