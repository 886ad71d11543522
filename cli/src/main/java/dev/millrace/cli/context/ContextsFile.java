package dev.millrace.cli.context;

import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.context.ContextsText.InvalidContexts;
import dev.millrace.cli.yaml.InvalidYaml;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * File with the contexts of the user: {@code millrace/contexts.yaml} in the folder of settings that XDG names. Only the
 * user may read it. Commands that change it at the same time wait for each other, and readers see it before or after a
 * change.
 */
public record ContextsFile(Path path) {
    private static final String FOLDER = "millrace";
    private static final String LOCK = "contexts.lock";
    private static final String FOLDER_MODE = "rwx------";

    /** Empty if the variables name no folder of the user. */
    public static Optional<ContextsFile> of(Map<String, String> environment) {
        return folder(environment, "XDG_CONFIG_HOME", "")
                .or(() -> folder(environment, "HOME", ".config"))
                .map(settings -> new ContextsFile(settings.resolve(FOLDER).resolve("contexts.yaml")));
    }

    /** As {@link #of}, for commands that change contexts. */
    public static ContextsFile require(Map<String, String> environment) {
        return of(environment)
                .orElseThrow(() -> new CommandFailure(
                        ExitCode.USAGE,
                        "There is no place for contexts: neither XDG_CONFIG_HOME nor HOME names a folder. Set one of"
                                + " them."));
    }

    /** The contexts; none if there is no file. */
    public Contexts read() {
        try {
            if (PrivateFile.isOpenToOthers(path)) {
                throw new CommandFailure(
                        ExitCode.USAGE,
                        "The file " + path + " holds tokens, but other users may read or write it ("
                                + PosixFilePermissions.toString(Files.getPosixFilePermissions(path))
                                + "). Restrict it with: chmod 600 " + path);
            }
            return ContextsText.read(Files.readString(path));
        } catch (NoSuchFileException none) {
            return Contexts.NONE;
        } catch (InvalidYaml invalid) {
            throw invalid(invalid.clause(), invalid);
        } catch (InvalidContexts invalid) {
            throw invalid(String.valueOf(invalid.getMessage()), invalid);
        } catch (IOException e) {
            throw new CommandFailure(
                    ExitCode.USAGE, "The file " + path + " with your contexts cannot be read: " + e + ".", e);
        }
    }

    /** Changes the contexts and returns the new ones. */
    public Contexts update(UnaryOperator<Contexts> change) {
        try {
            makeFolder();
            try (FileChannel lock = FileChannel.open(
                    path.resolveSibling(LOCK),
                    Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
                    PrivateFile.FILE_MODE)) {
                lock.lock();
                Contexts changed = change.apply(read());
                try (PrivateFile file = PrivateFile.prepare(path)) {
                    file.replace(ContextsText.write(changed));
                }
                return changed;
            }
        } catch (IOException e) {
            throw new CommandFailure(
                    ExitCode.USAGE,
                    "The file " + path + " with your contexts cannot be written: " + e
                            + ". Check the folder and its permissions.",
                    e);
        }
    }

    private void makeFolder() throws IOException {
        Path folder = path.toAbsolutePath().getParent();
        Files.createDirectories(
                folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(FOLDER_MODE)));
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString(FOLDER_MODE));
    }

    /** Relative folders count as absent, as the XDG specification wants it. */
    private static Optional<Path> folder(Map<String, String> environment, String variable, String below) {
        return Optional.ofNullable(environment.get(variable))
                .filter(named -> !named.isEmpty())
                .map(Path::of)
                .filter(Path::isAbsolute)
                .map(folder -> folder.resolve(below));
    }

    private CommandFailure invalid(String clause, Exception cause) {
        return new CommandFailure(
                ExitCode.USAGE,
                "The file " + path + " holds no valid contexts: " + clause
                        + ". Correct it, or delete it and log in again.",
                cause);
    }
}
