package dev.millrace.harness;

import static java.util.Objects.requireNonNull;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The checkout under test, and how to start its command line. */
public record MillraceHome(Path path) {
    private static final String PROPERTY = "millrace.home";
    private static final String VARIABLE = "MILLRACE_HOME";

    public MillraceHome {
        path = requireNonNull(path, "path is null").toAbsolutePath().normalize();
    }

    /** Finds the checkout by the property {@code millrace.home}, the variable {@code MILLRACE_HOME}, or upwards from here. */
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
     * The command line that runs {@code millrace ARGUMENTS} as the launcher would run a service: with its flags, and with its cache where that
     * has been recorded. Without the shell: so that the process started is the JVM itself, which signals reach, and nothing is rebuilt in the
     * middle of a build.
     */
    public List<String> command(List<String> jvmFlags, List<String> arguments) {
        Path jar = path.resolve("cli/target/millrace.jar");
        if (!Files.exists(jar)) {
            throw new IllegalStateException(
                    jar + " is missing: build it with './mvnw package -pl cli -am -DskipTests'.");
        }
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        Path cache = path.resolve("cli/target/launcher/services.aot");
        var command = new ArrayList<String>();
        command.add(java.toString());
        command.add("@" + path.resolve("cli/src/launcher/services.args"));
        if (cache.toFile().length() > 0) {
            command.add("-XX:AOTCache=" + cache);
        }
        command.addAll(jvmFlags);
        command.addAll(List.of("-jar", jar.toString()));
        command.addAll(arguments);
        return List.copyOf(command);
    }
}
