package dev.millrace.cli.local;

import dev.millrace.worker.language.ScriptLanguage;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;

/** Languages in the jars of a folder, beside those that the worker has itself. */
final class LanguageFolder {
    private LanguageFolder() {}

    /**
     * Loads all languages. Their classes stay loaded until the JVM ends.
     *
     * @throws IllegalArgumentException if the folder or a jar is unusable; the message says which and what to do
     */
    @SuppressWarnings("resource") // The classes are needed as long as the worker lives, which is as long as its JVM.
    static List<ScriptLanguage> load(Path folder) {
        var classes = new URLClassLoader(
                "languages", jars(folder).toArray(URL[]::new), ScriptLanguage.class.getClassLoader());
        try {
            return ServiceLoader.load(ScriptLanguage.class, classes).stream()
                    .map(ServiceLoader.Provider::get)
                    .toList();
        } catch (ServiceConfigurationError | LinkageError unusable) {
            throw new IllegalArgumentException(
                    "A language in the folder " + folder + " cannot be used: " + unusable.getMessage(), unusable);
        }
    }

    private static List<URL> jars(Path folder) {
        if (!Files.isDirectory(folder)) {
            throw new IllegalArgumentException(
                    "The folder of languages, " + folder + ", does not exist: create it, or remove its setting.");
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*.jar")) {
            List<URL> jars = new ArrayList<>();
            for (Path file : files) {
                jars.add(file.toUri().toURL());
            }
            return jars;
        } catch (IOException unreadable) {
            throw new IllegalArgumentException(
                    "The folder of languages, " + folder + ", cannot be read: " + unreadable + ".", unreadable);
        }
    }
}
