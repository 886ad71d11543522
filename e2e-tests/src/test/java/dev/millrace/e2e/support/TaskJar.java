package dev.millrace.e2e.support;

import dev.millrace.harness.MillraceHome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import javax.tools.ToolProvider;

/** Builds the jar of the example's server task, as its README says. */
public final class TaskJar {
    private static final String SERVICE = "META-INF/services/dev.millrace.task.ServerTask";

    private TaskJar() {}

    /** Compiles the example into a folder, and returns the folder. */
    public static Path build() {
        try {
            Path home = MillraceHome.find().path();
            Path example = home.resolve("examples/server-task");
            Path folder = Files.createDirectories(Path.of("target", "server-tasks"));
            int exitCode = ToolProvider.getSystemJavaCompiler()
                    .run(
                            null,
                            null,
                            null,
                            "-cp",
                            api(home.resolve("cli/target/lib")).toString(),
                            "-d",
                            folder.toString(),
                            example.resolve("Slug.java").toString());
            if (exitCode != 0) {
                throw new AssertionError("The example's server task does not compile.");
            }
            try (var jar = new JarOutputStream(Files.newOutputStream(folder.resolve("slug.jar")))) {
                add(jar, SERVICE, example.resolve(SERVICE));
                add(jar, "Slug.class", folder.resolve("Slug.class"));
            }
            return folder.toAbsolutePath();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path api(Path libraries) throws IOException {
        try (DirectoryStream<Path> found = Files.newDirectoryStream(libraries, "task-api-*.jar")) {
            return found.iterator().next();
        }
    }

    private static void add(JarOutputStream jar, String name, Path file) throws IOException {
        jar.putNextEntry(new JarEntry(name));
        Files.copy(file, jar);
        jar.closeEntry();
    }
}
