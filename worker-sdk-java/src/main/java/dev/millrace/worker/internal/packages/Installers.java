package dev.millrace.worker.internal.packages;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How the programs run that choose and install packages: within walls if the worker has a sandbox, and connected only to
 * hosts from which packages may come.
 *
 * @param variables of the worker, by which people configure indexes, proxies and certificates
 * @param beginning of the command lines of programs, which lets them end with the worker
 */
public record Installers(
        Map<String, String> variables, List<String> beginning, PackageHosts hosts, InstallerSandbox sandbox) {
    /** Files and folders in the values of variables, such as authorities, and indexes in folders. */
    private static final Pattern PATH = Pattern.compile("(?:^|[\\s,:=]|file://(?:localhost)?)(/[^\\s,:]+)");

    /** Variables with the path of a file that configures an installer. */
    private static final Pattern NAMES_CONFIGURATION =
            Pattern.compile("UV_CONFIG_FILE|PIP_CONFIG_FILE|GOENV|(?i:NPM_CONFIG_(?:USER|GLOBAL)CONFIG)");

    /** Largest file that is read as configuration. */
    private static final long CONFIGURATION_BYTES_MAX = 64 << 10;

    private static final Logger logger = LoggerFactory.getLogger(Installers.class);

    /** Variables with paths that are no configuration. */
    private static final Set<String> PLACES = Set.of("PATH", "HOME", "TMPDIR", "UV_CACHE_DIR", "DENO_DIR");

    /** Files with configuration of installers, in the folder of the worker's user. */
    private static final List<String> OF_USER =
            List.of(".netrc", ".npmrc", ".bunfig.toml", ".config/uv", ".config/pip", ".pip", ".config/go");

    /** Files with configuration of installers, for the whole machine. */
    private static final List<Path> OF_MACHINE =
            List.of(Path.of("/etc/uv"), Path.of("/etc/pip.conf"), Path.of("/etc/xdg/uv"), Path.of("/etc/xdg/pip"));

    public Installers {
        variables = Map.copyOf(variables);
        beginning = List.copyOf(beginning);
        requireNonNull(hosts, "hosts");
        requireNonNull(sandbox, "sandbox");
    }

    /**
     * The installers of a worker, which trust the indexes that its variables and the files of installers configure.
     *
     * @param listed hosts that the operator lists beside these
     */
    public static Installers of(
            Map<String, String> variables,
            List<String> beginning,
            Collection<String> listed,
            InstallerSandbox sandbox) {
        PackageHosts hosts = PackageHosts.of(listed, variables).with(texts(variables));
        return new Installers(variables, beginning, hosts, sandbox);
    }

    /** The texts of the files by which people configure installers. */
    private static List<String> texts(Map<String, String> variables) {
        Stream<Path> named = variables.entrySet().stream()
                .filter(entry -> NAMES_CONFIGURATION.matcher(entry.getKey()).matches())
                .map(entry -> Path.of(entry.getValue()));
        List<String> texts = new ArrayList<>();
        for (Path place : Stream.concat(named, usual(variables)).toList()) {
            try (Stream<Path> files = Files.find(
                    place, 1, (file, facts) -> facts.isRegularFile() && facts.size() <= CONFIGURATION_BYTES_MAX)) {
                for (Path file : files.toList()) {
                    texts.add(Files.readString(file, StandardCharsets.ISO_8859_1));
                }
            } catch (IOException | UncheckedIOException absent) {
                logger.debug("There is no configuration of installers at {}.", place);
            }
        }
        return texts;
    }

    private static Stream<Path> usual(Map<String, String> variables) {
        return Stream.concat(
                Stream.ofNullable(variables.get("HOME"))
                        .flatMap(home -> OF_USER.stream().map(name -> Path.of(home, name))),
                OF_MACHINE.stream());
    }

    /**
     * Where a program runs.
     *
     * @param folder working folder, in which it may write
     * @param readable further files and folders that it may read
     * @param writable further folders in which it may write
     */
    public record Place(Path folder, Collection<Path> readable, Collection<Path> writable) {
        public Place {
            readable = List.copyOf(readable);
            writable = List.copyOf(writable);
        }
    }

    boolean isWalled() {
        return sandbox.isWalled();
    }

    /**
     * Runs a program that reaches the network.
     *
     * @param all its variables
     * @throws IOException if it cannot be started
     */
    public Command.Result run(List<String> command, Map<String, String> all, Place place) throws IOException {
        try (RegistryProxy proxy = RegistryProxy.open(hosts)) {
            Command.Result ended = Command.run(command, environment(proxy.in(all), place), new byte[0]);
            return ended.exitCode() == 0 || proxy.refusals().isEmpty()
                    ? ended
                    : new Command.Result(
                            ended.exitCode(),
                            ended.output(),
                            ended.errors() + "\n" + String.join("\n", proxy.refusals()));
        }
    }

    /** Where and with what a program begins. */
    Command.Environment environment(Map<String, String> all, Place place) {
        if (!isWalled()) {
            return new Command.Environment(all, beginning);
        }
        List<Path> readable = new ArrayList<>(place.readable());
        readable.addAll(configuration(all));
        List<Path> writable = new ArrayList<>(place.writable());
        writable.add(place.folder());
        Map<String, String> inside = new HashMap<>(all);
        inside.put("TMPDIR", place.folder().toString());
        List<String> line = new ArrayList<>(beginning);
        line.addAll(sandbox.around(place.folder(), readable, writable));
        return new Command.Environment(inside, line);
    }

    /** Files by which people configure installers. */
    private static List<Path> configuration(Map<String, String> all) {
        Stream<Path> named = all.entrySet().stream()
                .filter(entry -> !PLACES.contains(entry.getKey()))
                .flatMap(entry -> PATH.matcher(entry.getValue()).results())
                .map(found -> Path.of(found.group(1)));
        return Stream.concat(named, usual(all))
                .filter(path -> path.getNameCount() > 1 && Files.isReadable(path))
                .distinct()
                .toList();
    }
}
