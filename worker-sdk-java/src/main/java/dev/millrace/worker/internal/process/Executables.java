package dev.millrace.worker.internal.process;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Finds programs as a shell does. */
final class Executables {
    private Executables() {}

    /** Returns the program's path: unchanged if the name contains a slash, else found in the PATH. */
    static Optional<Path> find(String program) {
        if (program.contains("/")) {
            return Optional.of(Path.of(program)).filter(Files::isExecutable).map(Path::toAbsolutePath);
        }
        String path = System.getenv().getOrDefault("PATH", "");
        for (String folder : path.split(File.pathSeparator, -1)) {
            Path file = Path.of(folder.isEmpty() ? "." : folder, program);
            if (Files.isRegularFile(file) && Files.isExecutable(file)) {
                return Optional.of(file.toAbsolutePath());
            }
        }
        return Optional.empty();
    }
}
