package dev.millrace.cli.blob;

import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.client.MillraceClient.Download;
import dev.millrace.cli.output.Terminal;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Downloads one blob, continues after broken connections, and checks the SHA-256 of the whole.
 *
 * <p>A file gets its name once it is complete. Until then its bytes are in a hidden file beside it, whose name holds the
 * id of the blob, so that a later command continues it.
 */
final class BlobDownload {
    /** Maximum number of attempts in a row that bring no byte. */
    private static final int ATTEMPTS_MAX = 5;

    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final int BUFFER_BYTES = 64 << 10;

    private final MillraceClient client;
    private final Terminal terminal;
    private final String id;
    private MessageDigest digest = Sha256.digest();
    private long done;

    BlobDownload(MillraceClient client, Terminal terminal, String id) {
        this.client = client;
        this.terminal = terminal;
        this.id = id;
    }

    /** Writes the file. Returns the number of its bytes. */
    long to(Path file) {
        Path whole = file.toAbsolutePath();
        Path part = whole.resolveSibling("." + whole.getFileName() + "." + id + ".part");
        try {
            readKnown(part);
            try (OutputStream out = Files.newOutputStream(
                    part, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND)) {
                copy(out);
            } catch (BrokenBlob broken) {
                Files.deleteIfExists(part);
                throw new CommandFailure(ExitCode.INTERNAL, broken.text, broken);
            }
            Files.move(part, whole, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
            return done;
        } catch (IOException e) {
            throw new CommandFailure(
                    ExitCode.REFUSED, "The file " + file + " cannot be written (" + e + "). Check its folder.", e);
        }
    }

    /** Writes the bytes to a stream, whose reader may have gone. */
    void to(PrintStream out) {
        try {
            copy(out);
            out.flush();
        } catch (BrokenBlob broken) {
            throw new CommandFailure(ExitCode.INTERNAL, broken.text, broken);
        } catch (IOException e) {
            throw new CommandFailure(ExitCode.REFUSED, "The bytes cannot be written (" + e + ").", e);
        }
    }

    /** Adds what an earlier command has written to the digest, but for its last byte, so that something is left to load. */
    private void readKnown(Path part) throws IOException {
        if (Files.exists(part) && Files.size(part) > 0) {
            try (FileChannel file = FileChannel.open(part, StandardOpenOption.WRITE)) {
                file.truncate(file.size() - 1);
            }
            try (InputStream known = Files.newInputStream(part)) {
                byte[] buffer = new byte[BUFFER_BYTES];
                for (int read = known.read(buffer); read >= 0; read = known.read(buffer)) {
                    add(buffer, read);
                }
            }
        }
    }

    private void add(byte[] buffer, int length) {
        digest.update(buffer, 0, length);
        done += length;
    }

    private void copy(OutputStream out) throws IOException, BrokenBlob {
        @Nullable String tag = null;
        int fruitless = 0;
        while (tag == null) {
            long before = done;
            try {
                tag = copyRest(out);
            } catch (SourceBroke broke) {
                fruitless = done > before ? 0 : fruitless + 1;
                if (fruitless == ATTEMPTS_MAX) {
                    throw new CommandFailure(
                            ExitCode.UNREACHABLE,
                            "The connection broke after " + done + " bytes, " + ATTEMPTS_MAX
                                    + " times at the same place (" + broke.getMessage() + "). Try again later.",
                            broke);
                }
                pause();
            }
        }
        String sha256 = HexFormat.of().formatHex(digest.digest());
        if (!tag.equals(sha256)) {
            throw new BrokenBlob("The bytes have the SHA-256 " + sha256 + ", but the blob has " + tag
                    + ": something has changed them on the way. Load the blob again.");
        }
    }

    /** Copies from where the download is to the end. Returns the SHA-256 of the whole blob. */
    private String copyRest(OutputStream out) throws IOException, BrokenBlob, SourceBroke {
        Optional<Download> found = open();
        if (found.isEmpty() || found.get().offset() != done) {
            throw new BrokenBlob("The part of the blob that is there does not belong to it. Load the blob again.");
        }
        try (Download download = found.get();
                TransferLine line = new TransferLine(terminal, id, download.total())) {
            line.add(done);
            byte[] buffer = new byte[BUFFER_BYTES];
            for (int read = read(download, buffer); read >= 0; read = read(download, buffer)) {
                out.write(buffer, 0, read);
                if (out instanceof PrintStream print && print.checkError()) {
                    throw new IOException("nobody reads them");
                }
                add(buffer, read);
                line.add(read);
            }
            return download.tag();
        }
    }

    /** Opens the rest. A server that is away fails a download that has not begun, and is awaited otherwise. */
    private Optional<Download> open() throws SourceBroke {
        try {
            return client.download(BlobUploads.BLOBS.child(id), done);
        } catch (CommandFailure failure) {
            if (done > 0 && failure.exitCode() == ExitCode.UNREACHABLE) {
                throw new SourceBroke(failure);
            }
            throw failure;
        }
    }

    private static int read(Download download, byte[] buffer) throws SourceBroke {
        try {
            return download.bytes().read(buffer);
        } catch (IOException e) {
            throw new SourceBroke(e);
        }
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new CommandFailure(ExitCode.INTERRUPTED, "The command was interrupted.", interrupted);
        }
    }

    /** The connection broke, and the download may go on. */
    private static final class SourceBroke extends Exception {
        private static final long serialVersionUID = 1;

        SourceBroke(Exception cause) {
            super(cause.getMessage(), cause);
        }
    }

    /** What has arrived is not the blob. */
    private static final class BrokenBlob extends Exception {
        private static final long serialVersionUID = 1;

        final String text;

        BrokenBlob(String text) {
            super(text);
            this.text = text;
        }
    }
}
