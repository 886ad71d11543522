package dev.millrace.cli.definition;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Launcher;
import dev.millrace.cli.output.Terminal;
import dev.millrace.text.script.FilePaths;
import dev.millrace.text.script.ScriptLanguages;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code millrace scripts deploy}: stores versions of scripts and makes them current. */
@Command(
        name = "deploy",
        description = "Store a script with the files that it imports, as the current version of its path.")
public final class ScriptsDeployCommand extends ClientCommand {
    @Parameters(
            paramLabel = "FILE|FOLDER",
            description = "Script, or a folder with scripts at any depth, but what its .millraceignore leaves out."
                    + " The ending tells the language: .py, .ts, .mts, .js, .mjs, .sh, .go or .sql.")
    private Path file = Path.of("");

    @Option(
            names = "--path",
            paramLabel = "PATH",
            defaultValue = "",
            description = "Path of the script or folder (default: its path below the current folder).")
    private String path = "";

    @Option(
            names = "--language",
            paramLabel = "NAME",
            defaultValue = "",
            description = "Language of a script whose ending does not tell it; a worker must know it.")
    private String language = "";

    @Option(
            names = "--schema",
            paramLabel = "FILE",
            description =
                    "JSON Schema of the inputs that the script takes, in place of the one that a worker reads from the"
                            + " signature.")
    private @Nullable Path schema;

    @Mixin
    private PreparationOption preparation = new PreparationOption();

    @Option(
            names = {"-m", "--message"},
            paramLabel = "TEXT",
            defaultValue = "",
            description = "What the deployment is about, for the list of versions.")
    private String message = "";

    @Option(
            names = "--dry-run",
            description = "Deploy nothing: show what would change, or fail as the deployment would fail.")
    private boolean isDryRun;

    public ScriptsDeployCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        if (!Files.isDirectory(file)) {
            ScriptFile read = path.isEmpty() ? ScriptFile.read(file) : ScriptFile.read(file, path);
            ScriptFile script = language.isEmpty() ? read : read.inLanguage(language);
            if (isDryRun) {
                JsonNode plan = script.plan(client, givenSchema());
                return show(plan, List.of(plan));
            }
            script.warnings().forEach(terminal().err()::println);
            JsonNode deployed = script.deploy(client, givenSchema(), message);
            report(deployed, true);
            preparation.end(terminal(), client, List.of(deployed));
            return ExitCode.OK;
        }
        if (schema != null) {
            throw new CommandFailure(
                    ExitCode.USAGE, "--schema says what one script takes. Name the script in place of its folder.");
        }
        List<ScriptFile> sources =
                scriptsBelow(file).stream().map(this::sourceBelow).toList();
        if (isDryRun) {
            ArrayNode plans = Json.object().putArray("scripts");
            sources.forEach(source -> plans.add(source.plan(client, Optional.empty())));
            return show(plans, plans);
        }
        ArrayNode deployed = Json.object().putArray("scripts");
        for (ScriptFile source : sources) {
            source.warnings().forEach(terminal().err()::println);
            deployed.add(source.deploy(client, Optional.empty(), message));
            report(deployed.get(deployed.size() - 1), false);
        }
        if (wantsJson()) {
            printJson(deployed);
        }
        tellOfSql(deployed);
        preparation.end(terminal(), client, deployed);
        return ExitCode.OK;
    }

    private ScriptFile sourceBelow(Path script) {
        String below = file.relativize(script).toString().replace('\\', '/');
        return path.isEmpty() ? ScriptFile.read(script) : ScriptFile.read(script, FilePaths.in(path, below));
    }

    private ExitCode show(JsonNode whole, Iterable<JsonNode> plans) {
        if (wantsJson()) {
            printJson(whole);
        } else {
            plans.forEach(plan -> new ScriptChange(plan).describe().forEach(this::print));
            print("Nothing was deployed.");
        }
        return ExitCode.OK;
    }

    /** Files with SQL are often no scripts but migrations, which nobody wants to be run by chance. */
    private void tellOfSql(ArrayNode deployed) {
        long count = deployed.valueStream()
                .filter(script -> script.path("path").asText().endsWith(".sql"))
                .count();
        if (count > 0 && !Files.exists(file.resolve(IgnoreFile.NAME))) {
            terminal()
                    .err()
                    .println(count + (count == 1 ? " of the scripts is" : " of the scripts are")
                            + " SQL. Leave out migrations and the like by patterns in " + file.resolve(IgnoreFile.NAME)
                            + ", as in a .gitignore; delete what is deployed with: " + Launcher.NAME
                            + " scripts delete PATH");
        }
    }

    private Optional<JsonNode> givenSchema() {
        if (schema == null) {
            return Optional.empty();
        }
        return Optional.of(Json.parse(TextFile.read(schema))
                .filter(JsonNode::isObject)
                .orElseThrow(() -> new CommandFailure(
                        ExitCode.INVALID,
                        "The file " + schema + " holds no JSON object. A schema looks like: {\"properties\": {\"name\":"
                                + " {\"type\": \"string\"}}}")));
    }

    private void report(JsonNode deployed, boolean isOnly) {
        if (!wantsJson()) {
            String name = deployed.path("path").asText();
            print("Deployed script " + name + files(deployed) + "."
                    + (isOnly ? " Run it with: " + Launcher.NAME + " run " + name : ""));
        } else if (isOnly) {
            printJson(deployed);
        }
    }

    private static String files(JsonNode script) {
        String paths = script.path("files")
                .valueStream()
                .map(file -> file.path("path").asText())
                .collect(Collectors.joining(", "));
        return paths.isEmpty() ? "" : " with " + paths;
    }

    private static List<Path> scriptsBelow(Path folder) {
        List<Path> found = SourceFolder.list(folder).scripts();
        if (found.isEmpty()) {
            throw new CommandFailure(
                    ExitCode.INVALID,
                    "The folder " + folder + " has no script (" + ScriptLanguages.endingsInWords()
                            + "). Check its path.");
        }
        return found;
    }
}
