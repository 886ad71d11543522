package dev.millrace.worker.internal.process;

import dev.millrace.worker.internal.packages.DenoSet;
import dev.millrace.worker.internal.packages.ImportHosts;
import dev.millrace.worker.internal.permission.Permission;
import dev.millrace.worker.internal.permission.Permissions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
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

    /**
     * @param permissions what the script has beside its folders
     * @param imports hosts of the modules that it imports by their address
     */
    static List<String> of(
            Path runtime,
            Script script,
            Permissions permissions,
            ImportHosts imports,
            Path home,
            Path temporary,
            Path shared) {
        String own = home + "," + temporary + "," + shared;
        List<String> flags = new ArrayList<>(List.of("run", "--quiet", "--no-prompt", "--no-config"));
        flags.addAll(ofPackages(script));
        flags.addAll(imports.flags());
        flags.add("--import-map=" + DenoImportMap.of(runtime, script));
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
                .map(set -> List.of("--cached-only", "--frozen", "--lock=" + DenoSet.lock(set)))
                .orElse(List.of("--no-lock"));
    }

    /** Packages may read their own files. */
    private static String readable(Script script) {
        return script.packages().folders().stream()
                .flatMap(set -> DenoSet.cached(set).stream())
                .map(part -> "," + part)
                .collect(Collectors.joining());
    }

    /** The arguments with which Deno checks the types of a script. */
    static List<String> ofCheck(Path runtime, Script script, ImportHosts imports) {
        List<String> flags = new ArrayList<>(List.of("check", "--quiet", "--no-config"));
        flags.add("--v8-flags=--max-old-space-size=" + CHECK_MEBIBYTES_MAX);
        flags.addAll(ofPackages(script));
        flags.addAll(imports.flags());
        flags.add("--import-map=" + DenoImportMap.of(runtime, script));
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
                DenoImportMap.url(script.folder()),
                deno);
    }
}
