package dev.millrace.worker.internal.packages;

import dev.millrace.worker.internal.runtime.FileTree;
import java.io.IOException;
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

    private final Path folder;
    private final Command.Environment environment;
    private final Function<String, Optional<Path>> programs;
    private final Map<String, String> given;

    /**
     * @param folder of the worker's own copy and its cache
     * @param given variables of the worker
     * @param beginning of the command lines of programs
     * @param programs finds programs by name
     */
    Uv(Path folder, Map<String, String> given, List<String> beginning, Function<String, Optional<Path>> programs) {
        this.folder = folder;
        this.given = Map.copyOf(given);
        this.environment = environment(given, beginning, folder.resolve("uv-cache"));
        this.programs = programs;
    }

    /** What programs that fetch packages see of the worker's variables. */
    static Command.Environment environment(Map<String, String> given, List<String> beginning, Path cache) {
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
        variables.put("UV_CACHE_DIR", cache.toString());
        variables.put("UV_NO_PROGRESS", "1");
        variables.put("UV_PYTHON_DOWNLOADS", "never");
        variables.put("NO_COLOR", "1");
        return new Command.Environment(variables, beginning);
    }

    Command.Environment environment() {
        return environment;
    }

    /**
     * Chooses versions.
     *
     * @param requirements a script with metadata (PEP 723), or a {@code requirements.txt}
     * @return the lock: all packages with versions and hashes
     */
    String compile(Path requirements, PythonInterpreter python) throws IOException, PackageException {
        List<String> command = new ArrayList<>(List.of(program(python).toString(), "pip", "compile"));
        command.addAll(
                List.of(requirements.toString(), "--python", python.program().toString()));
        command.addAll(List.of("--universal", "--generate-hashes", "--no-annotate", "--no-header", "--quiet"));
        Command.Result result = Command.run(command, environment, new byte[0]);
        if (result.exitCode() != 0) {
            throw new PackageException(
                    "The packages of this script cannot be chosen. " + result.reason("uv"),
                    result.exitCode() != UNSOLVABLE);
        }
        return result.output();
    }

    /** Empties uv's own cache. */
    void cleanCache(PythonInterpreter python) throws IOException, PackageException {
        List<String> command = List.of(program(python).toString(), "cache", "clean", "--quiet");
        Command.Result result = Command.run(command, environment, new byte[0]);
        if (result.exitCode() != 0) {
            throw new PackageException("The cache of uv cannot be emptied. " + result.reason("uv"), true);
        }
    }

    /** Installs one package, without those that it needs, into an empty folder. */
    void install(LockedPackage wanted, PythonInterpreter python, Path into) throws IOException, PackageException {
        Path requirements = Files.createTempFile(folder, "new-", ".txt");
        try {
            Files.writeString(requirements, wanted.requirement());
            List<String> command = new ArrayList<>(List.of(program(python).toString(), "pip", "install"));
            command.addAll(List.of("--target", into.toString(), "--requirement", requirements.toString()));
            command.addAll(List.of("--python", python.program().toString()));
            command.addAll(List.of("--no-deps", "--require-hashes", "--quiet"));
            Command.Result result = Command.run(command, environment, new byte[0]);
            if (result.exitCode() != 0) {
                throw new PackageException(
                        "The package " + wanted.name() + " " + wanted.version() + " cannot be installed. "
                                + result.reason("uv"),
                        // The versions fit together: an index may be out of reach, or a disk full.
                        true);
            }
        } finally {
            Files.deleteIfExists(requirements);
        }
    }

    synchronized Path program(PythonInterpreter python) throws IOException, PackageException {
        String configured = given.getOrDefault("MILLRACE_UV", "uv");
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
        Path fresh = Files.createTempDirectory(folder, "new-");
        List<String> command = new ArrayList<>(List.of(python.program().toString(), "-m", "pip", "install"));
        command.addAll(List.of("--quiet", "--no-deps", "--disable-pip-version-check", "--no-input"));
        command.addAll(List.of("--target", fresh.toString(), "uv==" + VERSION));
        var variables = new HashMap<>(environment.variables());
        given.forEach((name, value) -> {
            if (name.startsWith("PIP_")) {
                variables.put(name, value);
            }
        });
        Command.Result result =
                Command.run(command, new Command.Environment(variables, environment.beginning()), new byte[0]);
        if (result.exitCode() != 0) {
            FileTree.delete(fresh);
            throw new PackageException(
                    "This worker has no uv to install packages with, and could not fetch it: install uv " + VERSION
                            + " or newer, or set MILLRACE_UV to its path. " + result.reason("pip"),
                    true);
        }
        try {
            Files.move(fresh, own, StandardCopyOption.ATOMIC_MOVE);
        } catch (FileSystemException another) {
            FileTree.delete(fresh);
            if (!Files.isDirectory(own)) {
                throw another;
            }
        }
    }
}
