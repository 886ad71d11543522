package dev.millrace.worker.internal.packages;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.stream.Collectors.joining;

import dev.millrace.worker.internal.runtime.FileTree;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * uv, which chooses and installs packages (<a href="https://docs.astral.sh/uv/">documentation</a>). Where it is not
 * installed, the worker fetches it as a package of Python. Blocking and thread-safe.
 */
final class Uv {
    static final String VERSION = "0.13.9";

    /** Exit code if versions of packages exclude each other or do not exist, which another attempt does not change. */
    private static final int UNSOLVABLE = 1;

    /** Variables with which people configure indexes, proxies and certificates. */
    private static final List<String> PASSED = List.of(
            "PATH",
            "HOME",
            "LANG",
            "TMPDIR",
            "NETRC",
            "SSL_CERT_FILE",
            "SSL_CERT_DIR",
            "SSL_CLIENT_CERT",
            "HTTP_PROXY",
            "HTTPS_PROXY",
            "ALL_PROXY",
            "NO_PROXY",
            "http_proxy",
            "https_proxy",
            "all_proxy",
            "no_proxy");

    /** Variables of pip with the names that uv has for them. Of two with the same name, the later one counts. */
    private static final List<Map.Entry<String, String>> LIKE_PIP = List.of(
            Map.entry("PIP_INDEX_URL", "UV_DEFAULT_INDEX"),
            Map.entry("PIP_EXTRA_INDEX_URL", "UV_INDEX"),
            Map.entry("REQUESTS_CA_BUNDLE", "SSL_CERT_FILE"),
            Map.entry("PIP_CERT", "SSL_CERT_FILE"));

    /** Hashes of the wheels of {@link #VERSION} for all machines, as the index had them when it was chosen. */
    private static final String HASHES = "uv-hashes.txt";

    /** uv says so if a package has no wheel, or is the source of one. */
    private static final Pattern NO_WHEEL =
            Pattern.compile("(?i)no[- ]build|no (?:usable |matching )?wheels|only-binary|source dist");

    private final Path folder;
    private final Installers installers;
    private final Function<String, Optional<Path>> programs;
    private final Map<String, String> variables;

    /**
     * @param folder of the worker's own copy and its cache
     * @param programs finds programs by name
     */
    Uv(Path folder, Installers installers, Function<String, Optional<Path>> programs) {
        this.folder = folder;
        this.installers = installers;
        this.variables = variables(installers.variables());
        this.programs = programs;
    }

    /** What programs that fetch packages see of the worker's variables. */
    static Map<String, String> variables(Map<String, String> given) {
        var variables = new HashMap<String, String>();
        LIKE_PIP.forEach(names -> Optional.ofNullable(given.get(names.getKey()))
                .ifPresent(value -> variables.put(names.getValue(), value)));
        // What the machine trusts, and not only what uv brings.
        variables.put("UV_SYSTEM_CERTS", "true");
        given.forEach((name, value) -> {
            if (PASSED.contains(name) || name.startsWith("UV_")) {
                variables.put(name, value);
            }
        });
        variables.put("UV_NO_PROGRESS", "1");
        variables.put("UV_PYTHON_DOWNLOADS", "never");
        variables.put("NO_COLOR", "1");
        return variables;
    }

    /**
     * Chooses versions.
     *
     * @return the lock: all packages with versions and hashes
     */
    String compile(Requirements requirements, PythonInterpreter python) throws IOException, PackageException {
        Path work = Files.createTempDirectory(folder, Folders.NEW);
        try {
            Path file = Files.writeString(work.resolve(requirements.fileName()), requirements.text());
            List<String> arguments = new ArrayList<>(List.of("compile", file.toString()));
            arguments.addAll(List.of("--universal", "--generate-hashes", "--no-annotate", "--no-header"));
            arguments.addAll(requirements.options());
            // A package from an address may name others by addresses, in which uv replaces names of variables.
            Map<String, String> seen = requirements.hasAddresses() ? IndexPasswords.removedFrom(variables) : variables;
            Command.Result result = pip(arguments, python, seen, work, List.of());
            if (result.exitCode() != 0) {
                throw new PackageException(
                        "The packages of this script cannot be chosen. " + reason(result),
                        result.exitCode() != UNSOLVABLE);
            }
            return result.output();
        } finally {
            FileTree.delete(work);
        }
    }

    /** Installs one package, without those that it needs, into an empty folder. */
    void install(LockedPackage wanted, PythonInterpreter python, Path into) throws IOException, PackageException {
        String line = new RequirementLines(new RequirementRule(installers.hosts())).locked(wanted);
        Path work = Files.createTempDirectory(folder, Folders.NEW);
        try {
            Path file = Files.writeString(work.resolve("requirements.txt"), line + "\n");
            List<String> arguments = new ArrayList<>(List.of("install", "--target", into.toString()));
            arguments.addAll(List.of("--requirement", file.toString(), "--no-deps", "--require-hashes"));
            Command.Result result = pip(arguments, python, variables, work, List.of(into));
            if (result.exitCode() != 0) {
                throw new PackageException(
                        "The package " + wanted.name() + " " + wanted.version() + " cannot be installed. "
                                + reason(result),
                        // The versions fit together: an index may be out of reach, or a disk full.
                        true);
            }
        } finally {
            FileTree.delete(work);
        }
    }

    /**
     * Runs uv. Within walls, it keeps no cache, in which one script could leave something for another, and builds nothing, as a
     * build runs code of the package.
     */
    private Command.Result pip(
            List<String> arguments, PythonInterpreter python, Map<String, String> seen, Path work, List<Path> writable)
            throws IOException, PackageException {
        Path uv = program(python);
        List<String> command = new ArrayList<>(List.of(uv.toString(), "pip"));
        command.addAll(arguments);
        command.addAll(List.of("--quiet", "--python", python.program().toString()));
        Map<String, String> all = new HashMap<>(seen);
        if (installers.isWalled()) {
            command.addAll(List.of("--only-binary", ":all:"));
            all.put("UV_CACHE_DIR", work.resolve("cache").toString());
            all.put("UV_LINK_MODE", "copy");
        } else {
            all.put("UV_CACHE_DIR", cache().toString());
        }
        return installers.run(command, all, new Installers.Place(work, readable(uv, python), writable));
    }

    private static List<Path> readable(Path uv, PythonInterpreter python) {
        List<Path> readable = new ArrayList<>(python.files());
        readable.add(uv);
        return readable;
    }

    private String reason(Command.Result result) {
        return result.reason("uv")
                + (installers.isWalled() && NO_WHEEL.matcher(result.errors()).find()
                        ? "\nThis worker has a sandbox and installs only wheels: it builds no package."
                        : "");
    }

    private Path cache() {
        return folder.resolve("uv-cache");
    }

    /** Empties uv's own cache. */
    void cleanCache(PythonInterpreter python) throws IOException, PackageException {
        if (!Files.isDirectory(cache())) {
            return;
        }
        Map<String, String> all = new HashMap<>(variables);
        all.put("UV_CACHE_DIR", cache().toString());
        List<String> command = List.of(program(python).toString(), "cache", "clean", "--quiet");
        Command.Result result = Command.run(command, new Command.Environment(all, installers.beginning()), new byte[0]);
        if (result.exitCode() != 0) {
            throw new PackageException("The cache of uv cannot be emptied. " + result.reason("uv"), true);
        }
    }

    synchronized Path program(PythonInterpreter python) throws IOException, PackageException {
        String configured = installers.variables().getOrDefault("MILLRACE_UV", "uv");
        Optional<Path> installed = programs.apply(configured);
        if (installed.isPresent()) {
            return installed.get();
        }
        Path own = folder.resolve("uv-" + VERSION);
        Path program = own.resolve("bin").resolve("uv");
        if (!Files.isExecutable(program)) {
            fetch(python, own);
        }
        return program;
    }

    private void fetch(PythonInterpreter python, Path own) throws IOException, PackageException {
        Path work = Files.createTempDirectory(folder, Folders.NEW);
        try {
            Path fresh = Files.createDirectory(work.resolve("uv"));
            Path wanted = Files.writeString(work.resolve("requirements.txt"), "uv==" + VERSION + hashes() + "\n");
            List<String> command = new ArrayList<>(List.of(python.program().toString(), "-m", "pip", "install"));
            command.addAll(List.of("--quiet", "--no-deps", "--disable-pip-version-check", "--no-input"));
            command.addAll(List.of("--require-hashes", "--only-binary", ":all:", "--no-cache-dir"));
            command.addAll(List.of("--target", fresh.toString(), "--requirement", wanted.toString()));
            var all = new HashMap<>(variables);
            installers.variables().forEach((name, value) -> {
                if (name.startsWith("PIP_")) {
                    all.put(name, value);
                }
            });
            Command.Result result = installers.run(command, all, new Installers.Place(work, python.files(), List.of()));
            if (result.exitCode() != 0) {
                throw new PackageException(
                        "This worker has no uv to install packages with, and could not fetch it: install uv " + VERSION
                                + " or newer, or set MILLRACE_UV to its path. " + result.reason("pip"),
                        true);
            }
            move(fresh, own);
        } finally {
            FileTree.delete(work);
        }
    }

    private static void move(Path fresh, Path own) throws IOException {
        try {
            Files.move(fresh, own, StandardCopyOption.ATOMIC_MOVE);
        } catch (FileSystemException another) {
            if (!Files.isDirectory(own)) {
                throw another;
            }
        }
    }

    private static String hashes() throws IOException {
        try (InputStream in = Uv.class.getResourceAsStream(HASHES)) {
            if (in == null) {
                throw new IOException("The class path lacks " + HASHES + ".");
            }
            return new String(in.readAllBytes(), US_ASCII)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(hash -> " --hash=sha256:" + hash)
                    .collect(joining());
        }
    }
}
