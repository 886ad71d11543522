package dev.millrace.worker.internal.language;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.worker.JobException;
import dev.millrace.worker.internal.packages.Command;
import dev.millrace.worker.internal.runtime.FileTree;
import dev.millrace.worker.language.JobStart;
import dev.millrace.worker.language.Preparation;
import dev.millrace.worker.language.Preparer;
import dev.millrace.worker.language.ProcessUse;
import dev.millrace.worker.language.ScriptLanguage;
import dev.millrace.worker.language.ScriptVersion;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Go. A version is compiled once to a program: a script in package {@code main} is a program already, and any other
 * package gets one around it that fills the parameters of its {@code main} from the input.
 */
public final class Go implements ScriptLanguage {
    /** Module of the compiled programs, which no registry has. */
    private static final String MODULE = "millrace.invalid/script";

    private static final String PROGRAM = "program";
    private static final String SCRIPT = "script.go";
    private static final String RESOURCES = "/millrace-go/";

    /** File beside a program whose first line of input has the variables of the job. */
    private static final String TAKES_VARIABLES = "takes-variables";

    /** Longest time in which the command says its version. */
    private static final Duration ASK_TIME_MAX = Duration.ofSeconds(10);

    /** Largest number of characters of a compiler's message that a job fails with. */
    private static final int MESSAGE_MAX = 8_000;

    private static final Pattern VERSION = Pattern.compile("go version go(([0-9]+\\.[0-9]+)\\S*) (\\S+)\\s*");

    /** What a script without {@code go.mod} says about a module. */
    private static final Pattern REQUIRE =
            Pattern.compile("//[ \\t]*require[ \\t]+([A-Za-z0-9._~/-]{1,200})[ \\t]+(v[A-Za-z0-9.+-]{1,100})[ \\t]*");

    /** Variables with which people configure proxies, private modules and certificates. */
    private static final List<String> PASSED = List.of(
            "GOPROXY",
            "GONOPROXY",
            "GOPRIVATE",
            "GOSUMDB",
            "GONOSUMDB",
            "GOINSECURE",
            "GOAUTH",
            "GOVCS",
            "NETRC",
            "SSL_CERT_FILE",
            "SSL_CERT_DIR",
            "HTTP_PROXY",
            "HTTPS_PROXY",
            "NO_PROXY",
            "http_proxy",
            "https_proxy",
            "no_proxy");

    /** Last line of {@code go run} if it has compiled a program that then failed. */
    private static final String PROGRAM_FAILED = "exit status 1";

    private static final Logger logger = LoggerFactory.getLogger(Go.class);

    private static final ObjectMapper JSON = new ObjectMapper();

    @Override
    public String name() {
        return "go";
    }

    @Override
    public List<String> fileEndings() {
        return List.of(".go");
    }

    @Override
    public Optional<String> version() {
        return installed().map(found -> found.group(1));
    }

    @Override
    public ProcessUse use() {
        return ProcessUse.ONCE;
    }

    @Override
    public List<String> command(ScriptVersion script) {
        return List.of(script.prepared().orElseThrow().resolve(PROGRAM).toString());
    }

    /** The program around a package sets the variables of the job before anything in the package runs. */
    @Override
    public byte[] input(ScriptVersion script, JobStart job) {
        boolean takesVariables = script.prepared()
                .map(folder -> folder.resolve(TAKES_VARIABLES))
                .filter(Files::exists)
                .isPresent();
        String variables = takesVariables ? JSON.valueToTree(JobVariables.of(job)) + "\n" : "";
        return (variables + job.input()).getBytes(UTF_8);
    }

    @Override
    public Optional<Preparer> preparer() {
        return Optional.of(Go::compile);
    }

    @Override
    public List<Path> preparerFiles() {
        try {
            Command.Result said = ask("env", "GOROOT");
            return said.exitCode() == 0 ? List.of(Path.of(said.output().strip())) : List.of();
        } catch (IOException missing) {
            return List.of();
        }
    }

    @Override
    public String preparerVersion() {
        return ResourceHash.of(
                List.of("analyze.go", "run.go"), name -> resource(name).getBytes(UTF_8));
    }

    @Override
    public Optional<String> sample() {
        return Optional.of("package main\n\nfunc main() {}\n");
    }

    private static Optional<Matcher> installed() {
        try {
            Command.Result said = ask("version");
            Matcher version = VERSION.matcher(said.output());
            if (said.exitCode() == 0 && version.matches()) {
                return Optional.of(version);
            }
            logger.atWarn()
                    .addKeyValue("reason", said.exitCode() == 0 ? said.output() : said.reason("go"))
                    .log("Go does not tell its version; the worker takes no jobs that need it.");
            return Optional.empty();
        } catch (IOException missing) {
            return Optional.empty();
        }
    }

    /** Asks the command about itself. */
    private static Command.Result ask(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("go"));
        command.addAll(List.of(arguments));
        Map<String, String> variables = Map.of(
                "PATH", System.getenv().getOrDefault("PATH", ""), "HOME", "/nonexistent", "GOTOOLCHAIN", "local");
        return Command.run(command, new Command.Environment(variables, List.of()), new byte[0], ASK_TIME_MAX);
    }

    private static void compile(Preparation preparation) throws IOException, JobException {
        ScriptVersion script = preparation.script();
        Path source = Files.createDirectory(preparation.target().resolve("source"));
        Build build = new Build(preparation, source, variables(preparation, source));
        String text = Files.readString(script.file());
        JsonNode facts = build.analyze();
        boolean isProgram = facts.path("package").asText().equals("main");
        Path folder = isProgram ? source : Files.createDirectory(source.resolve("inner"));
        Files.writeString(folder.resolve(SCRIPT), text);
        if (!isProgram) {
            wrap(facts, source, folder);
            Files.createFile(preparation.target().resolve(TAKES_VARIABLES));
        }
        boolean isLocked = build.module(text);
        long start = System.nanoTime();
        build.compile(isLocked, facts.path("external").size() > 0);
        preparation.log(String.format(Locale.ROOT, "Compiled in %.1f s.", (System.nanoTime() - start) / 1e9));
        FileTree.delete(source);
    }

    /** Writes a program around a package: it fills the parameters of its main. */
    private static void wrap(JsonNode facts, Path source, Path folder) throws IOException {
        List<String> names = new ArrayList<>();
        facts.path("parameters").forEach(name -> names.add("\"" + name.asText() + "\""));
        Files.writeString(
                folder.resolve("millrace_run.go"),
                "package " + facts.path("package").asText() + "\n\nimport millrace_run \"" + MODULE
                        + "/millrace\"\n\nfunc MillraceRun() { millrace_run.Run(main, []string{"
                        + String.join(", ", names) + "}) }\n");
        Files.writeString(
                source.resolve("main.go"),
                "package main\n\nimport script \"" + MODULE + "/inner\"\n\nfunc main() { script.MillraceRun() }\n");
        Files.writeString(Files.createDirectory(source.resolve("millrace")).resolve("run.go"), resource("run.go"));
    }

    private static String resource(String name) throws IOException {
        try (InputStream in = Go.class.getResourceAsStream(RESOURCES + name)) {
            if (in == null) {
                throw new IOException("The class path lacks " + RESOURCES + name + ".");
            }
            return new String(in.readAllBytes(), UTF_8);
        }
    }

    private static Map<String, String> variables(Preparation preparation, Path source) throws IOException {
        Map<String, String> variables = new HashMap<>();
        Map<String, String> own = System.getenv();
        PASSED.forEach(name -> Optional.ofNullable(own.get(name)).ifPresent(value -> variables.put(name, value)));
        // Where people keep settings with `go env -w`; the preparation has a home of its own.
        Path config = Optional.ofNullable(own.get("XDG_CONFIG_HOME"))
                .map(Path::of)
                .orElseGet(() -> Path.of(own.getOrDefault("HOME", "/nonexistent"), ".config"));
        variables.put(
                "GOENV", own.getOrDefault("GOENV", config.resolve("go/env").toString()));
        variables.put("GOCACHE", preparation.cache().resolve("build").toString());
        variables.put("GOMODCACHE", preparation.cache().resolve("modules").toString());
        variables.put("GOTMPDIR", Files.createDirectory(source.resolve("tmp")).toString());
        variables.put("GOPATH", source.resolve("path").toString());
        // No C compiler, whose flags a script could choose, no other version of Go, and no programs of version control.
        variables.put("CGO_ENABLED", "0");
        variables.put("GOTOOLCHAIN", "local");
        variables.putIfAbsent("GOVCS", "*:off");
        variables.put("GOWORK", "off");
        variables.put("GO111MODULE", "on");
        variables.put("GOFLAGS", "-modcacherw");
        return variables;
    }

    /** The programs of one compilation. */
    private record Build(Preparation preparation, Path source, Map<String, String> variables) {
        JsonNode analyze() throws IOException, JobException {
            Path analyzer = Files.writeString(source.resolve("tmp").resolve("analyze.go"), resource("analyze.go"));
            Preparation.Ended ended = go(
                    "run",
                    analyzer.toString(),
                    "--",
                    preparation.script().file().toString());
            if (ended.exitCode() != 0) {
                // Without these words, the program that reads the script was never run.
                if (!ended.errors().endsWith(PROGRAM_FAILED)) {
                    throw new IOException(
                            "Go cannot compile a program of the worker's own. Go says: " + ended.errors());
                }
                throw refused("The script cannot be read", ended.errors());
            }
            return JSON.readTree(ended.output());
        }

        /** Writes {@code go.mod}: the one beside the script, or one with what the script says. Whether it has all versions. */
        boolean module(String text) throws IOException, JobException {
            Path mod = source.resolve("go.mod");
            Path beside = preparation.script().file().resolveSibling("go.mod");
            if (!Files.exists(beside)) {
                Matcher version = installed().orElseThrow(() -> new IOException("Go is gone"));
                String requires = text.lines()
                        .map(REQUIRE::matcher)
                        .filter(Matcher::matches)
                        .map(found -> "require " + found.group(1) + " " + found.group(2) + "\n")
                        .distinct()
                        .collect(Collectors.joining());
                Files.writeString(mod, "module " + MODULE + "\n\ngo " + version.group(2) + "\n\n" + requires);
                return false;
            }
            Files.copy(beside, mod);
            Path sum = beside.resolveSibling("go.sum");
            if (Files.exists(sum)) {
                Files.copy(sum, source.resolve("go.sum"));
            }
            Preparation.Ended ended = go("mod", "edit", "-module=" + MODULE, "-toolchain=none");
            Preparation.Ended read = go("mod", "edit", "-json");
            if (ended.exitCode() != 0 || read.exitCode() != 0) {
                throw refused("The go.mod beside the script cannot be read", ended.errors() + read.errors());
            }
            for (JsonNode replace : JSON.readTree(read.output()).path("Replace")) {
                if (replace.path("New").path("Version").asText().isEmpty()) {
                    throw refused(
                            "The go.mod beside the script cannot be used",
                            "it replaces " + replace.path("Old").path("Path").asText()
                                    + " by a folder, and a script has none: replace it by a version of a module");
                }
            }
            return Files.exists(sum);
        }

        void compile(boolean isLocked, boolean hasModules) throws IOException, JobException {
            preparation.log(hasModules && !isLocked ? "Choosing modules and compiling …" : "Compiling …");
            Preparation.Ended ended = go(
                    "build",
                    isLocked ? "-mod=readonly" : "-mod=mod",
                    "-trimpath",
                    "-buildvcs=false",
                    "-o",
                    preparation.target().resolve(PROGRAM).toString(),
                    ".");
            if (ended.exitCode() != 0) {
                throw refused("The script does not compile", ended.errors());
            }
            if (hasModules) {
                Preparation.Ended modules = go("list", "-m", "all");
                preparation.log(
                        "Modules: " + modules.output().lines().skip(1).limit(20).collect(Collectors.joining(", ")));
            }
        }

        private Preparation.Ended go(String... arguments) throws IOException {
            List<String> command = new ArrayList<>(List.of("go", "-C", source.toString()));
            command.addAll(List.of(arguments));
            return preparation.run(command, variables);
        }

        /** An error in the words of Go, with the path that the author of the script knows. */
        private JobException refused(String what, String errors) {
            String name = String.valueOf(preparation.script().file().getFileName());
            String said = errors.replace(preparation.script().folder() + "/", "")
                    .replaceAll("(?m)^# " + Pattern.quote(MODULE) + ".*\\R?", "")
                    .replaceAll("(?m)^exit status 1\\R?", "")
                    .replaceAll(
                            "(?:\\./)?(?:inner/)?" + Pattern.quote(SCRIPT) + ":", Matcher.quoteReplacement(name + ":"))
                    .replace(source + "/", "")
                    .strip();
            return new JobException(
                    "CompileError",
                    what + ". Go says: " + said.substring(0, Math.min(said.length(), MESSAGE_MAX)),
                    false);
        }
    }
}
