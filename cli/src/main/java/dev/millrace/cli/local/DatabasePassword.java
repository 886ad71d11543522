package dev.millrace.cli.local;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * Password of an embedded Postgres. It is random for each data folder, and stored in a file beside that folder which
 * only this user may read.
 *
 * <p>The file's first line is the password. While the database may still have a former password, the second line holds
 * that one. The second line is empty for a database of an earlier version, which asked for no password. The file is
 * replaced as a whole: a process killed at any instruction leaves a file that names the database's password.
 *
 * @param current the password, or what it will become
 * @param former what the password may be until it is replaced; an empty text if the database asks for none
 */
record DatabasePassword(String current, Optional<String> former) {
    private static final String SUFFIX = ".password";
    private static final int BYTES = 24;
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final String NONE_ASKED = "";

    DatabasePassword {
        requireNonNull(current, "current");
        requireNonNull(former, "former");
    }

    /** The file that holds the password of the database in this folder. */
    static Path file(Path data) {
        return data.resolveSibling(data.getFileName() + SUFFIX);
    }

    /** Reads the password, and creates one if there is none. */
    static DatabasePassword of(Path data) throws IOException {
        boolean isThere = Files.exists(data.resolve("PG_VERSION"));
        Optional<DatabasePassword> kept = find(data);
        if (kept.isPresent()) {
            // A new database gets the current password right away.
            return isThere ? kept.get() : new DatabasePassword(kept.get().current, Optional.empty());
        }
        return stored(data, new DatabasePassword(random(), isThere ? Optional.of(NONE_ASKED) : Optional.empty()));
    }

    /**
     * Prepares a password for a copy of another folder. The copied database has the original's password until it is
     * replaced.
     */
    static void prepareCopy(Path original, Path copy) throws IOException {
        String former = find(original).map(DatabasePassword::current).orElse(NONE_ASKED);
        stored(copy, new DatabasePassword(random(), Optional.of(former)));
    }

    /** Whether the database asks for no password until {@link #replaced}. */
    boolean isFormerlyOpen() {
        return former.equals(Optional.of(NONE_ASKED));
    }

    /** Records that the database has the current password and no other. */
    DatabasePassword replaced(Path data) throws IOException {
        return stored(data, new DatabasePassword(current, Optional.empty()));
    }

    /** Reads the password, if there is one. */
    static Optional<DatabasePassword> find(Path data) throws IOException {
        Path file = file(data);
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        List<String> lines = Files.readAllLines(file);
        return lines.isEmpty()
                ? Optional.empty()
                : Optional.of(new DatabasePassword(
                        lines.getFirst(), lines.size() > 1 ? Optional.of(lines.get(1)) : Optional.empty()));
    }

    private static DatabasePassword stored(Path data, DatabasePassword password) throws IOException {
        Path file = file(data);
        Path unfinished = PrivateFolder.newFileFor(file);
        String text =
                password.current + "\n" + password.former.map(it -> it + "\n").orElse("");
        try (FileChannel channel = FileChannel.open(unfinished, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(text.getBytes(US_ASCII)));
            channel.force(true);
        }
        Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        return password;
    }

    /** Letters and digits only, so that URLs and SQL need no escapes. */
    private static String random() {
        byte[] bytes = new byte[BYTES];
        RANDOM.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    /** Hides the password. */
    @Override
    public String toString() {
        return "DatabasePassword[...]";
    }
}
