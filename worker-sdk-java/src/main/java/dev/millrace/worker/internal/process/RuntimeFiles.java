package dev.millrace.worker.internal.process;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/** The runtimes' own source files, which come on the class path, written out for the interpreters. */
final class RuntimeFiles {
    private static final String ROOT = "millrace-runtime/";
    private static final String INDEX = "FILES";

    private RuntimeFiles() {}

    /** Writes the runtime below the folder and returns where it lies. */
    static Path extract(ScriptRuntime runtime, Path folder) throws IOException {
        String name = runtime.name().toLowerCase(java.util.Locale.ROOT);
        Path target = Files.createDirectories(folder.resolve(name)).toAbsolutePath();
        String root = ROOT + name + "/";
        for (String file : index(root)) {
            Path place = target.resolve(file).normalize();
            if (!place.startsWith(target)) {
                throw new IOException("The runtime's index names a file outside of it: " + file);
            }
            Path parent = place.getParent();
            if (parent != null) {
                Files.createDirectories(parent);
            }
            try (InputStream in = open(root + file)) {
                Files.copy(in, place, StandardCopyOption.REPLACE_EXISTING);
            }
        }
        return target;
    }

    private static List<String> index(String root) throws IOException {
        try (InputStream in = open(root + INDEX)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank())
                    .toList();
        }
    }

    private static InputStream open(String resource) throws IOException {
        InputStream in = RuntimeFiles.class.getClassLoader().getResourceAsStream(resource);
        if (in == null) {
            throw new IOException("The class path lacks " + resource + "; the worker was built without its runtimes.");
        }
        return in;
    }
}
