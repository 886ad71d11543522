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

    /**
     * Returns the path of an interpreter.
     *
     * @param what to install if it is missing
     * @param variable that can be set to its path
     * @throws WorkerFault if it is missing
     */
    static String require(String program, ScriptRuntime runtime, String what, String variable) {
        return find(program)
                .map(Path::toString)
                .orElseThrow(() -> new WorkerFault(
                        "This worker found no \"" + program + "\" to run the script with: install " + what + ", or set "
                                + variable + " to its path, and restart the worker.",
                        runtime));
    }
}
