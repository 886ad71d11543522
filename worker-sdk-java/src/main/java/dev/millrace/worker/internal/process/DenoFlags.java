package dev.millrace.worker.internal.process;

import dev.millrace.worker.internal.packages.DenoSets;
import dev.millrace.worker.internal.permission.Permission;
import dev.millrace.worker.internal.permission.Permissions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Flags with which Deno runs a script. They confine it to its private and temporary folders, shared folders, reading its
 * own files and those of its packages, and what its permissions add.
 */
final class DenoFlags {
    /** Memory in which types are checked or signatures are read, in MiB. */
    private static final int CHECK_MEBIBYTES_MAX = 1024;

    private DenoFlags() {}

    /** Variables that the loop reads itself. */
    private static final List<String> OWN_VARIABLES = List.of("MILLRACE_FILES", "MILLRACE_WORKSPACE", "TMPDIR");

    /** @param permissions what the script has beside its folders */
    static List<String> of(
            Path runtime, Script script, Permissions permissions, Path home, Path temporary, Path shared) {
        String own = home + "," + temporary + "," + shared;
        List<String> flags = new ArrayList<>(List.of("run", "--quiet", "--no-prompt", "--no-config"));
        flags.addAll(ofPackages(script));
        flags.add("--import-map=" + importMapOf(runtime, script));
        for (Permission kind : Permission.values()) {
            List<String> always = switch (kind) {
                case READ -> List.of(script.folder() + "," + runtime + "," + own + readable(script));
                case WRITE -> List.of("/dev/fd/3," + own);
                case ENV -> OWN_VARIABLES;
                case NET, SYS, RUN, FFI -> List.of();
            };
            allow(kind, always, permissions.values().get(kind)).ifPresent(flags::add);
        }
        return flags;
    }

    /**
     * @param always what every script has
     * @param limits null for nothing further, empty for everything
     */
    private static Optional<String> allow(Permission kind, List<String> always, @Nullable Set<String> limits) {
        if (limits != null && limits.isEmpty()) {
            return Optional.of("--" + kind.item());
        }
        String all = Stream.concat(
                        always.stream(),
                        limits == null ? Stream.of() : limits.stream().sorted())
                .collect(Collectors.joining(","));
        return all.isEmpty() ? Optional.empty() : Optional.of("--" + kind.item() + "=" + all);
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

    /** The arguments with which Deno checks the types of a script. */
    static List<String> ofCheck(Path runtime, Script script) {
        List<String> flags = new ArrayList<>(List.of("check", "--quiet", "--no-config"));
        flags.add("--v8-flags=--max-old-space-size=" + CHECK_MEBIBYTES_MAX);
        flags.addAll(ofPackages(script));
        flags.add("--import-map=" + importMapOf(runtime, script));
        flags.add(script.file().toString());
        return flags;
    }

    /**
     * The arguments with which Deno reads the signature of a script.
     *
     * @param deno the program, which the one that reads starts to get the declarations
     */
    static List<String> ofSignature(Path runtime, Script script, String deno) {
        return List.of(
                "run",
                "--quiet",
                "--no-prompt",
                "--no-config",
                "--no-lock",
                "--v8-flags=--max-old-space-size=" + CHECK_MEBIBYTES_MAX,
                "--allow-read=" + script.folder(),
                "--allow-run=" + deno,
                runtime.resolve("signature.ts").toString(),
                script.file().toUri().toASCIIString(),
                url(script.folder()),
                deno);
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
        imports.put("windmill-client", url(runtime) + "windmill_client.ts");
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
