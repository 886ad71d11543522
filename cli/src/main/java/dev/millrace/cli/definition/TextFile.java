package dev.millrace.cli.definition;

import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCode;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads source files. */
final class TextFile {
    private TextFile() {}

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (CharacterCodingException e) {
            throw new CommandFailure(ExitCode.INVALID, "The file " + file + " is not UTF-8 text. Save it as UTF-8.", e);
        } catch (IOException e) {
            throw new CommandFailure(ExitCode.NOT_FOUND, "The file " + file + " cannot be read. Check its path.", e);
        }
    }

    /** Whether a file lies in a folder or below it, after following links. */
    static boolean isInside(Path folder, Path file) {
        try {
            return file.toRealPath().startsWith(folder.toRealPath());
        } catch (IOException e) {
            throw new CommandFailure(ExitCode.NOT_FOUND, "The file " + file + " cannot be read. Check its path.", e);
        }
    }

    /** Whether two paths are equal once made absolute and normalized. */
    static boolean isSame(Path file, Path other) {
        return file.toAbsolutePath().normalize().equals(other.toAbsolutePath().normalize());
    }
}
