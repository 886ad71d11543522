package dev.millrace.worker.internal.process;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Finds programs the way a shell does. */
final class Executables {
    private Executables() {}

    /** The program's path: as given where it has a slash, else from the PATH. */
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
