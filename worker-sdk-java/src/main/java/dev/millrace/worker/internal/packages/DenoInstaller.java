package dev.millrace.worker.internal.packages;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Deno, as far as it chooses packages and installs them into a set. A set is a folder with what one lock names:
 * {@code deno.lock}, and {@code npm} and {@code remote} in the form of Deno's cache. Blocking and thread-safe.
 */
final class DenoInstaller implements SetInstaller {
    static final String LOCK = "deno.lock";
    static final String NPM = "npm";
    static final String REMOTE = "remote";

    /** What a set consists of; Deno leaves further files in its cache that depend on paths. */
    private static final List<String> PARTS = List.of(LOCK, NPM, REMOTE);

    /** The file that Deno keeps in the folder of each package. */
    private static final String PACKAGE_FILE = "registry.json";

    /** Variables of Deno and npm, such as {@code DENO_AUTH_TOKENS} and {@code NPM_CONFIG_REGISTRY}. */
    private static final Pattern PASSED = Pattern.compile("(?:DENO|NPM|JSR|npm)_.*");

    /** What another attempt does not change. */
    private static final Pattern LASTING =
            Pattern.compile("does not exist|[Cc]ould not find|not found|[Cc]hecksum|Integrity check|could not be parsed"
                    + "|Invalid |out of date|not a dependency|Relative import path");

    /**
     * An import from elsewhere than the script's own files. The quantifiers are possessive, so that hostile text costs
     * no more than its length.
     */
    private static final Pattern IMPORT =
            Pattern.compile("(?:\\b(?:from|import)\\s*+\\(?+\\s*+|@deno-types=)[\"'](?:npm:|jsr:|https?://)");

    private final Path deno;
    private final Installers installers;
    private final Map<String, String> variables;

    /** @param deno the program */
    DenoInstaller(Path deno, Installers installers) {
        this.deno = deno;
        this.installers = installers;
        this.variables = variables(installers.variables());
    }

    /** What Deno sees of the worker's variables while it installs. */
    static Map<String, String> variables(Map<String, String> given) {
        Map<String, String> variables = InstallerVariables.of(given, PASSED);
        TrustedAuthorities.in(given).ifPresent(file -> variables.put("DENO_CERT", file.toString()));
        variables.put("DENO_NO_UPDATE_CHECK", "1");
        variables.put("DENO_NO_PACKAGE_JSON", "1");
        return variables;
    }

    @Override
    public String interpreter() throws IOException {
        Command.Result result = Command.run(
                List.of(deno.toString(), "--version"),
                new Command.Environment(variables, installers.beginning()),
                new byte[0]);
        String major = result.output().replaceFirst("(?s)^deno (\\d+)\\..*", "$1");
        if (result.exitCode() != 0 || !major.matches("\\d+")) {
            throw new IOException(result.reason("deno"));
        }
        return "deno" + major;
    }

    @Override
    public String lockFile() {
        return LOCK;
    }

    @Override
    public boolean mayNeedPackages(JavaScriptSources sources) throws IOException {
        for (Path file : sources.files()) {
            if (IMPORT.matcher(Files.readString(file)).find()) {
                return true;
            }
        }
        return false;
    }

    @Override
    public Map<String, String> versions(SetLock lock) throws PackageException {
        return DenoLock.versions(lock);
    }

    @Override
    public Optional<SetLock> install(JavaScriptSources sources, Path set) throws IOException, PackageException {
        Path lock = set.resolve(LOCK);
        List<String> command = new ArrayList<>(List.of(deno.toString(), "install", "--quiet", "--no-config"));
        command.addAll(List.of("--import-map=" + sources.importMap(), "--lock=" + lock));
        command.addAll(sources.imports().flags());
        if (Files.exists(lock)) {
            DenoLock.check(new SetLock(Files.readString(lock)), sources.imports());
            command.add("--frozen");
        }
        command.addAll(List.of("--entrypoint", sources.script().toString()));
        Map<String, String> all = new HashMap<>(variables);
        all.put("DENO_DIR", set.toString());
        List<Path> readable = new ArrayList<>(sources.readable());
        readable.add(deno);
        Command.Result result = installers.run(command, all, new Installers.Place(set, readable, List.of()));
        if (result.exitCode() != 0) {
            throw new PackageException(
                    "The packages of this script cannot be had. "
                            + DenoWords.forScripts(sources.withKnownPaths(result.reason("deno"))),
                    !LASTING.matcher(result.errors()).find());
        }
        tidyUp(set);
        return Files.exists(lock) ? Optional.of(new SetLock(Files.readString(lock))) : Optional.empty();
    }

    private static void tidyUp(Path set) throws IOException {
        for (Path entry : Folders.list(set)) {
            if (!PARTS.contains(String.valueOf(entry.getFileName()))) {
                Folders.deleteIfThere(entry);
            }
        }
        Files.createDirectories(set.resolve(REMOTE));
        Path fetched = Files.createDirectories(set.resolve(NPM));
        Path before = Files.move(fetched, set.resolve("fetched"));
        joinRegistries(before, Files.createDirectories(fetched.resolve(DenoSet.REGISTRY)));
        Folders.deleteIfThere(before);
    }

    /**
     * Moves all packages below one registry. Deno keeps them below the address of theirs, and processes of scripts do
     * not know addresses. A lock has each package from one registry only.
     */
    private static void joinRegistries(Path fetched, Path joined) throws IOException {
        List<Path> packages;
        try (Stream<Path> all = Files.find(
                fetched, Integer.MAX_VALUE, (file, unused) -> Files.isRegularFile(file.resolve(PACKAGE_FILE)))) {
            packages = all.toList();
        }
        for (Path one : packages) {
            String scope = String.valueOf(one.resolveSibling("").getFileName());
            Path parent = scope.startsWith("@") ? Files.createDirectories(joined.resolve(scope)) : joined;
            Path place = parent.resolve(String.valueOf(one.getFileName()));
            // A package may contain a file of that name itself, and has moved with it.
            if (Files.exists(one) && !Files.exists(place)) {
                Files.move(one, place);
            }
        }
    }
}
