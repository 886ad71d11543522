package dev.millrace.cli.watch;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.definition.FlowFile;
import dev.millrace.cli.definition.Preparation;
import dev.millrace.cli.definition.ScriptFile;
import dev.millrace.cli.definition.SourceFolder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/**
 * Deploys the scripts and flows of folders, each again when it or a file that it is deployed with has changed. What is
 * deleted stays deployed. Not thread-safe.
 */
final class FolderDeployment {
    /**
     * What one pass has done.
     *
     * @param scripts paths of scripts that have a new version
     * @param flows paths of flows that have a new version
     * @param problems messages about files that could not be deployed; they are tried again when they change
     * @param warnings about flows that have been deployed, such as inputs that scripts do not take
     * @param repaired files of earlier problems, which have been deployed this time
     * @param preparations runs that tell later whether what was deployed is in order
     */
    record Outcome(
            List<String> scripts,
            List<String> flows,
            List<String> problems,
            List<String> warnings,
            List<Path> repaired,
            List<Preparation> preparations) {
        /** Nothing yet. */
        static Outcome begin() {
            return new Outcome(
                    new ArrayList<>(),
                    new ArrayList<>(),
                    new ArrayList<>(),
                    new ArrayList<>(),
                    new ArrayList<>(),
                    new ArrayList<>());
        }
    }

    /** A flow and the scripts in its folder, some of which are deployed with it. */
    private record FlowSource(FlowFile flow, Map<Path, ScriptFile> scripts) {}

    private final MillraceClient client;
    private final List<Path> folders;
    private final Map<Path, ScriptFile> lastScripts = new HashMap<>();
    private final Map<Path, FlowSource> lastFlows = new HashMap<>();
    private final Map<Path, String> hashes = new HashMap<>();
    private final Set<Path> broken = new HashSet<>();

    FolderDeployment(MillraceClient client, List<Path> folders) {
        this.client = client;
        this.folders = List.copyOf(folders);
    }

    /** Deploys what has changed since the last pass; everything the first time. */
    Outcome deployChanged() {
        Outcome outcome = Outcome.begin();
        for (Path folder : folders) {
            SourceFolder sources = SourceFolder.list(folder);
            Map<Path, ScriptFile> scripts = new TreeMap<>();
            for (Path file : sources.scripts()) {
                guarded(file, outcome, () -> deployScript(file, scripts, outcome));
            }
            for (Path file : sources.flows()) {
                guarded(file, outcome, () -> deployFlow(file, scripts, outcome));
            }
        }
        return outcome;
    }

    /** Returns whether there was something to deploy. */
    private boolean deployScript(Path file, Map<Path, ScriptFile> scripts, Outcome outcome) {
        ScriptFile script = ScriptFile.read(file);
        scripts.put(file, script);
        if (script.equals(lastScripts.put(file, script))) {
            return false;
        }
        JsonNode deployed = script.deploy(client, Optional.empty(), "");
        outcome.preparations().addAll(Preparation.of(deployed));
        outcome.warnings().addAll(script.warnings());
        addIfNew(file, deployed, outcome.scripts());
        return true;
    }

    private boolean deployFlow(Path file, Map<Path, ScriptFile> scripts, Outcome outcome) {
        FlowFile flow = FlowFile.read(file);
        Map<Path, ScriptFile> beside = new HashMap<>(scripts);
        beside.keySet().removeIf(script -> !script.startsWith(file.resolveSibling("")));
        FlowSource source = new FlowSource(flow, beside);
        if (source.equals(lastFlows.put(file, source))) {
            return false;
        }
        // The scripts beside a flow are deployed themselves, and warn then.
        JsonNode deployed = flow.deploy(client, "", "", _ -> {});
        outcome.preparations().addAll(Preparation.of(deployed));
        outcome.warnings().addAll(flow.warnings(deployed));
        addIfNew(file, deployed, outcome.flows());
        return true;
    }

    private void addIfNew(Path file, JsonNode deployed, List<String> paths) {
        String hash = deployed.path("hash").asText();
        if (!hash.equals(hashes.put(file, hash))) {
            paths.add(deployed.path("path").asText());
        }
    }

    private void guarded(Path file, Outcome outcome, BooleanSupplier deployment) {
        try {
            if (deployment.getAsBoolean() && broken.remove(file)) {
                outcome.repaired().add(file);
            }
        } catch (CommandFailure failure) {
            broken.add(file);
            outcome.problems().add(String.valueOf(failure.getMessage()));
        }
    }
}
