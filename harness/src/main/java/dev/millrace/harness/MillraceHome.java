package dev.millrace.harness;

import static java.util.Objects.requireNonNull;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Checkout under test, and how to start its command line. */
public record MillraceHome(Path path) {
    private static final String PROPERTY = "millrace.home";
    private static final String VARIABLE = "MILLRACE_HOME";

    public MillraceHome {
        path = requireNonNull(path, "path is null").toAbsolutePath().normalize();
    }

    /**
     * Finds the checkout: the property {@code millrace.home}, else the variable {@code MILLRACE_HOME}, else the nearest
     * parent of the working directory.
     */
    public static MillraceHome find() {
        String named = System.getProperty(PROPERTY, System.getenv(VARIABLE));
        if (named != null) {
            return new MillraceHome(Path.of(named));
        }
        for (Path folder = Path.of("").toAbsolutePath(); folder != null; folder = folder.getParent()) {
            if (Files.exists(folder.resolve("mvnw"))) {
                return new MillraceHome(folder);
            }
        }
        throw new IllegalStateException(
                "No Millrace checkout above the working directory: run from inside one, or set " + VARIABLE + ".");
    }

    /**
     * Returns the command line that runs {@code millrace ARGUMENTS} as the launcher would run a service: with its
     * flags, and with its cache if one has been recorded. It starts the JVM without the shell, so that signals reach
     * the JVM and nothing is rebuilt during a build.
     */
    public List<String> command(List<String> jvmFlags, List<String> arguments) {
        Path cache = path.resolve("cli/target/launcher/services.aot");
        var flags = new ArrayList<String>();
        flags.add("@" + path.resolve("cli/src/launcher/services.args"));
        if (cache.toFile().length() > 0) {
            flags.add("-XX:AOTCache=" + cache);
        }
        if (arguments.contains("worker")) {
            // Before the other flags, so that they can allow it.
            flags.add("-XX:+DisableAttachMechanism");
        }
        flags.addAll(jvmFlags);
        return java(flags, arguments);
    }

    /**
     * Returns the command line that runs {@code millrace ARGUMENTS} as the launcher would run a command that ends soon:
     * with its flags, and with its archive of classes if one has been recorded. The JVM itself prints nothing.
     */
    public List<String> clientCommand(List<String> arguments) {
        Path archive = path.resolve("cli/target/launcher/client.jsa");
        var flags = new ArrayList<String>();
        flags.add("@" + path.resolve("cli/src/launcher/client.args"));
        if (Files.exists(archive)) {
            flags.add("-XX:SharedArchiveFile=" + archive);
        }
        flags.addAll(List.of("-Xlog:disable", "-Xmx128m"));
        return java(flags, arguments);
    }

    private List<String> java(List<String> flags, List<String> arguments) {
        Path jar = path.resolve("cli/target/millrace.jar");
        if (!Files.exists(jar)) {
            throw new IllegalStateException(
                    jar + " is missing: build it with './mvnw package -pl cli -am -DskipTests'.");
        }
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(flags);
        command.addAll(List.of("-jar", jar.toString()));
        command.addAll(arguments);
        return List.copyOf(command);
    }
}
