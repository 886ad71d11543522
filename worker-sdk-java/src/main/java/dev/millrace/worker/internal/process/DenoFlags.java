package dev.millrace.worker.internal.process;

import dev.millrace.worker.internal.packages.DenoSets;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Flags with which Deno runs a script. They confine it to the network, its private and temporary folders, shared
 * folders, and reading its own files and those of its packages.
 */
final class DenoFlags {
    private DenoFlags() {}

    static List<String> of(Path runtime, Script script, Path home, Path temporary, Path shared) {
        String own = home + "," + temporary + "," + shared;
        List<String> flags = new ArrayList<>(List.of("run", "--quiet", "--no-prompt", "--no-config"));
        flags.addAll(ofPackages(script));
        flags.addAll(List.of(
                "--import-map=" + importMapOf(runtime, script),
                "--allow-env",
                "--allow-net",
                "--allow-sys",
                "--allow-read=" + script.folder() + "," + runtime + "," + own + readable(script),
                "--allow-write=/dev/fd/3," + own));
        return flags;
    }

    /** A script with packages imports exactly what its lock names, and only from this machine. */
    private static List<String> ofPackages(Script script) {
        return script.packages().folders().stream()
                .findFirst()
                .map(set -> List.of("--cached-only", "--frozen", "--lock=" + DenoSets.lock(set), "--allow-import"))
                .orElse(List.of("--no-lock"));
    }

    /** Packages may read their own files. */
    private static String readable(Script script) {
        return script.packages().folders().stream()
                .flatMap(set -> DenoSets.cached(set).stream())
                .map(part -> "," + part)
                .collect(Collectors.joining());
    }

    /** Path or address of the import map with which a script runs. */
    static String importMapOf(Path runtime, Script script) {
        return script.tree()
                .map(tree -> importMap(runtime, tree))
                .orElseGet(() -> runtime.resolve("import_map.json").toString());
    }

    /**
     * An import map by which imports such as {@code /shared/text.ts} begin in the tree of the script. Longer keys come
     * first, so that what is in the tree or the runtime already stays where it is.
     */
    private static String importMap(Path runtime, Path tree) {
        Map<String, String> imports = new TreeMap<>();
        try (Stream<Path> entries = Files.list(tree)) {
            entries.forEach(entry -> {
                String name = entry.getFileName().toString();
                String end = Files.isDirectory(entry) ? "/" : "";
                imports.put("file:///" + name + end, url(tree) + name + end);
            });
        } catch (IOException e) {
            throw new WorkerFault("The worker cannot read the files of a script: " + e + ".", ScriptRuntime.DENO);
        }
        imports.put(url(tree), url(tree));
        imports.put(url(runtime), url(runtime));
        imports.put("millrace", url(runtime) + "mod.ts");
        String json = imports.entrySet().stream()
                .map(entry -> "\"" + entry.getKey() + "\":\"" + entry.getValue() + "\"")
                .collect(Collectors.joining(",", "{\"imports\":{", "}}"));
        return "data:application/json;base64,"
                + Base64.getEncoder().encodeToString(json.getBytes(StandardCharsets.UTF_8));
    }

    private static String url(Path folder) {
        String url = folder.toUri().toASCIIString();
        return url.endsWith("/") ? url : url + "/";
    }
}
