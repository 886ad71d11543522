package dev.millrace.cli.definition;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.cli.ClientCommand;
import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.ApiPath;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Launcher;
import dev.millrace.cli.output.Table;
import dev.millrace.cli.output.Terminal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code millrace scripts packages}: shows the packages that were chosen for a script. */
@Command(name = "packages", description = "Show the packages that were chosen for a deployed script.")
public final class ScriptsPackagesCommand extends ClientCommand {
    @Parameters(paramLabel = "PATH", description = "Path of the script.")
    private String path = "";

    @Option(
            names = "--pin",
            description = "Print them as a declaration for the head of the script, with exactly these versions.")
    private boolean pins;

    public ScriptsPackagesCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    protected ExitCode execute(MillraceClient client) {
        JsonNode locks = client.get(ApiPath.of("/scripts").child(path)).path("package_locks");
        if (pins) {
            pin(locks);
        } else if (wantsJson()) {
            printJson(locks);
        } else if (locks.isEmpty()) {
            print("No packages are chosen for " + path
                    + ": it needs none, or no worker has prepared it yet. Its first job would choose them.");
        } else {
            show(locks);
        }
        return ExitCode.OK;
    }

    private void show(JsonNode locks) {
        Table table = new Table("INTERPRETER", "PACKAGE", "VERSION", "INFERRED?");
        for (JsonNode lock : locks) {
            Set<String> inferred = new HashSet<>();
            lock.path("inferred").forEach(name -> inferred.add(normalized(name.asText())));
            for (JsonNode chosen : lock.path("packages")) {
                String name = chosen.path("name").asText();
                table.row(
                        lock.path("interpreter").asText(),
                        name,
                        chosen.path("version").asText(),
                        inferred.contains(normalized(name)) ? "from an import" : "");
            }
        }
        printTable(table);
    }

    /** Prints a declaration as PEP 723 defines it; for Deno and Bun, what imports name. */
    private void pin(JsonNode locks) {
        if (locks.size() != 1) {
            throw new CommandFailure(
                    ExitCode.INVALID,
                    locks.isEmpty()
                            ? "No packages are chosen for " + path + " yet. Run it first, or deploy it with --wait."
                            : "Several interpreters have run " + path + ", each with its own packages. Choose from: "
                                    + Launcher.NAME + " scripts packages " + path);
        }
        if (locks.path(0).path("interpreter").asText().matches("(?:deno|bun).*")) {
            locks.path(0).path("packages").forEach(chosen -> print(specifier(chosen)));
            return;
        }
        List<String> lines = new ArrayList<>(List.of("# /// script", "# dependencies = ["));
        for (JsonNode chosen : locks.path(0).path("packages")) {
            lines.add("#   \"" + requirement(chosen) + "\",");
        }
        lines.addAll(List.of("# ]", "# ///"));
        print(String.join("\n", lines));
    }

    /** What an import in TypeScript names; an address says all by itself. */
    private static String specifier(JsonNode chosen) {
        String name = chosen.path("name").asText();
        return name.matches("(?:npm|jsr):.*")
                ? name + "@" + chosen.path("version").asText()
                : name;
    }

    private static String requirement(JsonNode chosen) {
        String version = chosen.path("version").asText();
        String condition =
                chosen.has("condition") ? " ; " + chosen.path("condition").asText() : "";
        return chosen.path("name").asText() + (version.contains(":") ? " @ " : "==") + version + condition;
    }

    /** Names of packages are the same if they differ only in case and in these characters. */
    private static String normalized(String name) {
        return name.toLowerCase(Locale.ROOT).replaceAll("[-_.]+", "-");
    }
}
