package dev.millrace.worker.internal.packages;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What a version of a script for Deno consists of.
 *
 * @param script the file that its jobs run
 * @param folder with the script and its files, and nothing else
 * @param importMap address of the import map with which its jobs run
 */
public record DenoSources(Path script, Path folder, String importMap) {
    /**
     * An import from elsewhere than the script's own files. The quantifiers are possessive, so that hostile text costs
     * no more than its length.
     */
    private static final Pattern REMOTE =
            Pattern.compile("(?:\\b(?:from|import)\\s*+\\(?+\\s*+|@deno-types=)[\"'](?:npm:|jsr:|https?://)");

    public DenoSources {
        requireNonNull(script, "script");
        requireNonNull(folder, "folder");
        requireNonNull(importMap, "importMap");
    }

    /** Whether a file seems to import something from a registry or an address. */
    boolean mayNeedPackages() throws IOException {
        for (Path file : files()) {
            if (REMOTE.matcher(Files.readString(file)).find()) {
                return true;
            }
        }
        return false;
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile).sorted().toList();
        }
    }

    /** A message of Deno with the paths that the author of the script knows. */
    String withKnownPaths(String message) {
        return message.replace(folder.toUri().toString(), "").replace(folder + "/", "");
    }
}
