package dev.millrace.cli.definition;

import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;

/** Writes new files and never replaces existing ones. */
final class NewFiles {
    private NewFiles() {}

    /** @param contents contents by path below the folder; if one of the files exists, nothing is written */
    static void write(Path folder, Map<String, String> contents) {
        contents.keySet().forEach(name -> requireFree(folder, name));
        contents.forEach((name, content) -> write(folder.resolve(name), content));
    }

    private static void requireFree(Path folder, String name) {
        Path file = folder.resolve(name).normalize();
        if (!file.startsWith(folder.normalize())) {
            throw new CommandFailure(
                    ExitCode.INVALID,
                    "The script " + name + " lies outside the folder of the definition. Copy it by hand.");
        }
        if (Files.exists(file)) {
            throw new CommandFailure(ExitCode.INVALID, "The file " + file + " exists already. Choose another folder.");
        }
    }

    private static void write(Path file, String content) {
        try {
            Path folder = file.toAbsolutePath().getParent();
            if (folder != null) {
                Files.createDirectories(folder);
            }
            Files.writeString(file, content, StandardOpenOption.CREATE_NEW);
        } catch (IOException e) {
            throw new CommandFailure(
                    ExitCode.INVALID,
                    "The file " + file + " cannot be written. Check the folder and its permissions.",
                    e);
        }
    }
}
