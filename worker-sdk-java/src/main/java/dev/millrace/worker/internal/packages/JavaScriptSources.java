package dev.millrace.worker.internal.packages;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What a version of a script for Deno or Bun consists of.
 *
 * @param script the file that its jobs run
 * @param folder with the script and its files, and nothing else
 * @param importMap address of the import map with which its jobs run; empty in Bun
 * @param runtime folder of the runtime that the import map leads to; empty in Bun
 * @param imports hosts from which it imports modules by their address
 */
public record JavaScriptSources(
        Path script, Path folder, String importMap, Optional<Path> runtime, ImportHosts imports) {
    public JavaScriptSources {
        requireNonNull(script, "script");
        requireNonNull(folder, "folder");
        requireNonNull(importMap, "importMap");
        requireNonNull(runtime, "runtime");
        requireNonNull(imports, "imports");
    }

    /** What a program may read that looks for imports. */
    List<Path> readable() {
        return Stream.concat(Stream.of(folder), runtime.stream()).toList();
    }

    /** All files, in the order of their paths. */
    List<Path> files() throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile).sorted().toList();
        }
    }

    /** A message of Deno or Bun with the paths that the author of the script knows. */
    String withKnownPaths(String message) {
        return message.replace(folder.toUri().toString(), "").replace(folder + "/", "");
    }
}
