package dev.millrace.cli.local;

import static java.util.Objects.requireNonNull;

import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCode;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Empty Postgres data folder to copy, which takes less than half the time of {@code initdb}. The launcher makes one for
 * each build. It holds nothing of Millrace, so that databases share no more than Postgres's own identifier. A copy gets
 * its own password at its first start.
 */
public final class DatabaseTemplate {
    private static final String FOLDER = "millrace.database.template";
    /** Files of a Postgres that runs, or did. */
    private static final Set<String> LEFT_OUT = Set.of("epg-lock", "postmaster.pid", "postmaster.opts");

    private final Path folder;

    private DatabaseTemplate(Path folder) {
        this.folder = folder;
    }

    /** The template that the launcher names, if it has made one. */
    static Optional<DatabaseTemplate> find() {
        return Optional.ofNullable(System.getProperty(FOLDER)).map(Path::of).flatMap(DatabaseTemplate::in);
    }

    /** The template in this folder, if there is one. */
    static Optional<DatabaseTemplate> in(Path folder) {
        return Optional.of(folder).filter(Files::isDirectory).map(DatabaseTemplate::new);
    }

    /**
     * Makes a template, completely or not at all.
     *
     * @param folder target; must not exist
     * @param binaries where Postgres is unpacked, once
     */
    public static void make(Path folder, Path binaries) throws IOException {
        Path unfinished = unfinished(folder);
        delete(unfinished);
        try (EmbeddedDatabase made = EmbeddedDatabase.persistent(DataFolderLock.acquire(unfinished), binaries)) {
            requireNonNull(made, "made");
        }
        Files.move(
                DatabasePassword.file(unfinished), DatabasePassword.file(folder), StandardCopyOption.REPLACE_EXISTING);
        Files.move(unfinished, folder);
    }

    /** Copies the template to a data folder, on disk, completely or not at all. Does nothing if the folder exists. */
    void copyTo(Path data) {
        if (Files.exists(data, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        Path unfinished = unfinished(data);
        try {
            delete(unfinished);
            for (Path copy : copyTree(unfinished)) {
                force(copy);
            }
            DatabasePassword.prepareCopy(folder, data);
            Files.move(unfinished, data, StandardCopyOption.ATOMIC_MOVE);
            force(requireNonNull(data.toAbsolutePath().getParent()));
        } catch (IOException e) {
            throw new CommandFailure(
                    ExitCode.START_FAILED,
                    "The data folder " + data + " cannot be made: " + e + ". Choose another with --data-dir.",
                    e);
        }
    }

    private List<Path> copyTree(Path target) throws IOException {
        List<Path> copies = new ArrayList<>();
        try (Stream<Path> sources = Files.walk(folder)) {
            for (Path source : (Iterable<Path>) sources::iterator) {
                Path copy = target.resolve(folder.relativize(source).toString());
                if (!LEFT_OUT.contains(copy.getFileName().toString())) {
                    Files.copy(source, copy, StandardCopyOption.COPY_ATTRIBUTES);
                    copies.add(copy);
                }
            }
        }
        return copies;
    }

    private static void force(Path path) throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    private static Path unfinished(Path folder) {
        return folder.resolveSibling(folder.getFileName() + ".unfinished");
    }

    private static void delete(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        List<Path> paths;
        try (Stream<Path> tree = Files.walk(folder)) {
            paths = tree.toList();
        }
        for (Path path : paths.reversed()) {
            Files.delete(path);
        }
    }
}
