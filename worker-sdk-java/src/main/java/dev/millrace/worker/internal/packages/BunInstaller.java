package dev.millrace.worker.internal.packages;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.text.script.NpmImport;
import dev.millrace.text.script.WindmillLock;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Bun, as far as it chooses packages and installs them into a set. A set is a folder with what one lock names:
 * {@code bun.lock}, and {@code node_modules}, where a package also has the name with which imports ask for its versions.
 * Blocking and thread-safe.
 */
final class BunInstaller implements SetInstaller {
    static final String LOCK = "bun.lock";
    static final String MODULES = "node_modules";

    private static final String PROJECT = "package.json";
    private static final String CACHE = "cache";

    /** What an import without a version asks for. */
    private static final String LATEST = "latest";

    /** Prints what files import, on the class path. */
    private static final String SCANNER = "millrace-bun/imports.ts";

    /** Variables of Bun and npm, such as {@code BUN_CONFIG_REGISTRY} and {@code NPM_CONFIG_REGISTRY}. */
    private static final Pattern PASSED = Pattern.compile("(?:BUN_CONFIG|NPM|npm)_.*");

    /** What another attempt does not change. */
    private static final Pattern LASTING =
            Pattern.compile(" - 404|No version matching|IntegrityCheckFailed|lockfile is frozen|[Ii]nvalid");

    private static final Pattern ERROR_LINE = Pattern.compile("(?m)^(?:error|warn): .*");

    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path bun;
    private final Installers installers;
    private final Map<String, String> variables;

    /** @param bun the program */
    BunInstaller(Path bun, Installers installers) {
        this.bun = bun;
        this.installers = installers;
        this.variables = variables(installers.variables());
    }

    /** What Bun sees of the worker's variables while it installs. */
    static Map<String, String> variables(Map<String, String> given) {
        Map<String, String> variables = InstallerVariables.of(given, PASSED);
        TrustedAuthorities.in(given).ifPresent(file -> variables.put("NODE_EXTRA_CA_CERTS", file.toString()));
        return variables;
    }

    @Override
    public String interpreter() throws IOException {
        Command.Result result = Command.run(
                List.of(bun.toString(), "--version"),
                new Command.Environment(variables, installers.beginning()),
                new byte[0]);
        String major = result.output().strip().replaceFirst("(?s)^(\\d+)\\..*", "$1");
        if (result.exitCode() != 0 || !major.matches("\\d+")) {
            throw new IOException(result.reason("bun"));
        }
        return "bun" + major;
    }

    @Override
    public String lockFile() {
        return LOCK;
    }

    @Override
    public boolean mayNeedPackages(JavaScriptSources sources) throws IOException {
        for (Path file : sources.files()) {
            if (NpmImport.isIn(Files.readString(file))) {
                return true;
            }
        }
        return false;
    }

    @Override
    public Map<String, String> versions(SetLock lock) throws PackageException {
        return BunLock.versions(lock);
    }

    @Override
    public Optional<SetLock> install(JavaScriptSources sources, Path set) throws IOException, PackageException {
        SortedMap<String, String> ranges = ranges(sources, set);
        if (ranges.isEmpty()) {
            return Optional.empty();
        }
        Optional<WindmillLock.Bun> exported = exported(sources);
        if (exported.isPresent()) {
            BunLock.checkProject(exported.get().project());
            Files.writeString(set.resolve(PROJECT), exported.get().project());
            Files.writeString(set.resolve(LOCK), exported.get().lock());
        } else {
            Files.writeString(set.resolve(PROJECT), project(ranges));
        }
        if (Files.exists(set.resolve(LOCK))) {
            BunLock.check(new SetLock(Files.readString(set.resolve(LOCK))));
        }
        List<String> command = new ArrayList<>(List.of(bun.toString(), "install"));
        command.addAll(List.of("--cwd=" + set, "--cache-dir=" + set.resolve(CACHE), "--linker=hoisted"));
        command.addAll(List.of("--ignore-scripts", "--no-progress", "--no-summary"));
        if (Files.exists(set.resolve(LOCK))) {
            command.add("--frozen-lockfile");
        }
        Command.Result result = installers.run(command, variables, new Installers.Place(set, List.of(bun), List.of()));
        if (result.exitCode() != 0) {
            throw new PackageException(
                    "The packages of this script cannot be had. " + reason(result),
                    !LASTING.matcher(result.errors()).find());
        }
        Folders.deleteIfThere(set.resolve(CACHE));
        Files.delete(set.resolve(PROJECT));
        linkVersions(ranges, set.resolve(MODULES));
        SetLock chosen = new SetLock(Files.readString(set.resolve(LOCK)));
        BunLock.check(chosen);
        return Optional.of(chosen);
    }

    /** The lock with which a script was exported from Windmill, with the project that belongs to it. */
    private static Optional<WindmillLock.Bun> exported(JavaScriptSources sources) throws IOException {
        Path lock = Path.of(WindmillLock.pathFor(sources.script().toString()));
        return Files.isRegularFile(lock) ? WindmillLock.bun(Files.readString(lock)) : Optional.empty();
    }

    /** The errors of Bun, without its progress. */
    private static String reason(Command.Result result) {
        String errors = ERROR_LINE
                .matcher(result.errors())
                .results()
                .map(line -> line.group())
                .collect(Collectors.joining("\n"));
        return new Command.Result(result.exitCode(), "", errors.isEmpty() ? result.errors() : errors).reason("bun");
    }

    /** Which versions of which packages the files of a script import. */
    private SortedMap<String, String> ranges(JavaScriptSources sources, Path set) throws IOException, PackageException {
        SortedMap<String, String> ranges = new TreeMap<>();
        for (JsonNode specifier : scan(sources, set)) {
            Optional<NpmImport> imported = NpmImport.of(specifier.asText());
            if (imported.isPresent()) {
                add(imported.get(), ranges);
            }
        }
        return ranges;
    }

    private static void add(NpmImport imported, Map<String, String> ranges) throws PackageException {
        String before = ranges.getOrDefault(imported.name(), "");
        if (!before.isEmpty() && !imported.range().isEmpty() && !before.equals(imported.range())) {
            throw new PackageException(
                    "The script imports " + imported.name() + "@" + before + " and " + imported.name() + "@"
                            + imported.range() + ". Name the same versions in all imports of a package.",
                    false);
        }
        ranges.put(imported.name(), before.isEmpty() ? imported.range() : before);
    }

    /** Lets Bun read what the files import; a file that it cannot read imports nothing, and fails when it is loaded. */
    private JsonNode scan(JavaScriptSources sources, Path set) throws IOException {
        List<String> command = new ArrayList<>(List.of(bun.toString(), "--cwd=" + set, "--no-install", "run", "-"));
        sources.files().forEach(file -> command.add(file.toString()));
        List<Path> readable = List.of(bun, sources.folder());
        Command.Result result = Command.run(
                command,
                installers.environment(
                        InstallerVariables.ofSystem(variables), new Installers.Place(set, readable, List.of())),
                scanner());
        if (result.exitCode() != 0) {
            throw new IOException(result.reason("bun"));
        }
        return JSON.readTree(result.output());
    }

    private static byte[] scanner() throws IOException {
        try (InputStream in = BunInstaller.class.getClassLoader().getResourceAsStream(SCANNER)) {
            if (in == null) {
                throw new IOException("The class path lacks " + SCANNER + ".");
            }
            return in.readAllBytes();
        }
    }

    private static String project(SortedMap<String, String> ranges) throws IOException {
        ObjectNode project = JSON.createObjectNode();
        ObjectNode dependencies = project.putObject("dependencies");
        ranges.forEach((name, range) -> dependencies.put(name, range.isEmpty() ? LATEST : range));
        return new String(JSON.writeValueAsBytes(project), UTF_8);
    }

    /** Bun looks for a package by the name in the import, which may have versions behind it. */
    private static void linkVersions(Map<String, String> ranges, Path modules) throws IOException {
        for (Map.Entry<String, String> one : new HashMap<>(ranges).entrySet()) {
            if (!one.getValue().isEmpty()) {
                Path place = modules.resolve(one.getKey());
                String name = String.valueOf(place.getFileName());
                Files.createSymbolicLink(place.resolveSibling(name + "@" + one.getValue()), Path.of(name));
            }
        }
    }
}
