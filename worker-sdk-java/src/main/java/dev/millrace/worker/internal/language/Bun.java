package dev.millrace.worker.internal.language;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.worker.internal.packages.BunSet;
import dev.millrace.worker.internal.packages.Command;
import dev.millrace.worker.internal.packages.TrustedAuthorities;
import dev.millrace.worker.language.ProcessUse;
import dev.millrace.worker.language.ScriptLanguage;
import dev.millrace.worker.language.ScriptVersion;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * TypeScript and JavaScript in Bun. Its processes stay, and run the same loop as those of Deno; only the entry differs.
 */
public final class Bun implements ScriptLanguage {
    /** Where the loop is on the class path. */
    private static final String RUNTIME = "millrace-runtime/deno/";

    private static final String ENTRY = "bun.ts";

    /** Argument of a process that waits for its script. */
    private static final String SPARE = "--spare";

    /** Longest time in which the program says its version. */
    private static final Duration ANSWER_MAX = Duration.ofSeconds(20);

    /** The frames channel is file descriptor 3; what Bun itself prints goes to standard error. */
    private static final String FRAMES_ON_FD_3 = "exec \"$@\" 3>&1 1>&2";

    /** Names the folder in which Bun looks for packages. */
    private static final String PACKAGES_VARIABLE = "NODE_PATH";

    private static final String AUTHORITIES_VARIABLE = "NODE_EXTRA_CA_CERTS";

    private static final Logger logger = LoggerFactory.getLogger(Bun.class);

    private final Optional<Path> authorities = TrustedAuthorities.in(System.getenv());

    private final Optional<Path> program = find();

    private static Optional<Path> find() {
        return variable("MILLRACE_BUN")
                .map(named -> Stream.of(Path.of(named)))
                .orElseGet(() -> Stream.concat(onPath(), belowHome()))
                .filter(Files::isExecutable)
                .findFirst()
                .flatMap(Bun::withoutLinks);
    }

    private static Stream<Path> onPath() {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
                .filter(folder -> !folder.isEmpty())
                .map(folder -> Path.of(folder, "bun"));
    }

    /** Bun where the build installs it with npm. */
    private static Stream<Path> belowHome() {
        return variable("MILLRACE_HOME")
                .map(home -> Path.of(home, "worker-runtime-deno", "node_modules", "bun", "bin", "bun.exe"))
                .stream();
    }

    private static Optional<String> variable(String name) {
        return Optional.ofNullable(System.getenv(name)).filter(value -> !value.isBlank());
    }

    /** The file itself, as npm puts a link on the PATH, which a sandbox lacks. */
    private static Optional<Path> withoutLinks(Path found) {
        try {
            return Optional.of(found.toRealPath());
        } catch (IOException gone) {
            return Optional.empty();
        }
    }

    /** The program; empty if this machine has none. */
    public Optional<Path> program() {
        return program;
    }

    @Override
    public String name() {
        return "bun";
    }

    @Override
    public List<String> fileEndings() {
        return List.of(".bun.ts", ".ts", ".mts", ".js", ".mjs", ".tsx", ".jsx");
    }

    @Override
    public Optional<String> version() {
        return program.flatMap(Bun::ask);
    }

    private static Optional<String> ask(Path program) {
        try {
            Command.Result result = Command.run(
                    List.of(program.toString(), "--version"),
                    new Command.Environment(System.getenv(), List.of()),
                    new byte[0],
                    ANSWER_MAX);
            if (result.exitCode() == 0) {
                return Optional.of(result.output().strip());
            }
            warn(program, result.reason("bun"));
        } catch (IOException broken) {
            warn(program, broken.toString());
        }
        return Optional.empty();
    }

    private static void warn(Path program, String reason) {
        logger.atWarn()
                .addKeyValue("program", program)
                .addKeyValue("reason", reason)
                .log("Bun does not tell its version; the worker takes no jobs that need it.");
    }

    @Override
    public ProcessUse use() {
        return ProcessUse.WARM;
    }

    @Override
    public List<Path> files() {
        return Stream.concat(program.stream(), authorities.stream()).toList();
    }

    @Override
    public List<String> command(ScriptVersion script) {
        SortedMap<String, String> variables = new TreeMap<>();
        script.packages().stream()
                .findFirst()
                .ifPresent(set ->
                        variables.put(PACKAGES_VARIABLE, BunSet.modules(set).toString()));
        return bun(script.runtime().orElseThrow(), script.file().toString(), variables);
    }

    @Override
    public Optional<List<String>> spareCommand(Path runtime) {
        return Optional.of(bun(runtime, SPARE, new TreeMap<>()));
    }

    private List<String> bun(Path runtime, String argument, SortedMap<String, String> variables) {
        Stream<String> bun = Stream.of(
                program.map(Path::toString).orElse("bun"),
                "run",
                // Packages that were not chosen for the version would be fetched while a job waits.
                "--no-install",
                runtime.resolve(ENTRY).toString(),
                argument);
        authorities.ifPresent(file -> variables.put(AUTHORITIES_VARIABLE, file.toString()));
        return Stream.concat(shell(variables), bun).toList();
    }

    /** A shell that sets variables, given as its first arguments, and becomes the program in the other ones. */
    private static Stream<String> shell(SortedMap<String, String> variables) {
        StringBuilder text = new StringBuilder();
        for (String name : variables.keySet()) {
            text.append(name).append("=\"$1\"; export ").append(name).append("; shift; ");
        }
        return Stream.concat(Stream.of("sh", "-c", text + FRAMES_ON_FD_3, "sh"), variables.values().stream());
    }

    @Override
    public Map<String, byte[]> runtime() {
        try {
            Map<String, byte[]> files = new LinkedHashMap<>();
            for (String name : names()) {
                files.put(name, read(name));
            }
            return files;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public Optional<String> sample() {
        return Optional.of("export function main() {}\n");
    }

    private static List<String> names() throws IOException {
        return new String(read("FILES"), UTF_8)
                .lines()
                .filter(name -> !name.isBlank())
                .toList();
    }

    private static byte[] read(String name) throws IOException {
        try (InputStream in = Bun.class.getClassLoader().getResourceAsStream(RUNTIME + name)) {
            if (in == null) {
                throw new IOException("The class path lacks " + RUNTIME + name + ".");
            }
            return in.readAllBytes();
        }
    }
}
