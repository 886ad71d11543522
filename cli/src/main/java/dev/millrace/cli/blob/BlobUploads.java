package dev.millrace.cli.blob;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.ApiPath;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.output.Terminal;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.util.HexFormat;
import java.util.Optional;
import java.util.OptionalLong;

/** Uploads files as blobs, and checks that the server has stored the bytes that were read. */
public final class BlobUploads {
    static final ApiPath BLOBS = ApiPath.of("/blobs");

    private static final String STANDARD_INPUT = "-";
    private static final String MEDIA_TYPE_DEFAULT = "application/octet-stream";

    private final MillraceClient client;
    private final Terminal terminal;

    public BlobUploads(MillraceClient client, Terminal terminal) {
        this.client = client;
        this.terminal = terminal;
    }

    /**
     * Uploads a file. Returns the reference to the blob.
     *
     * @param file name of the file, - for standard input
     * @param mediaType what the bytes are; absent means what the name of the file says
     */
    public JsonNode put(String file, Optional<String> mediaType) {
        String type = mediaType.orElseGet(() -> typeOf(file));
        if (file.equals(STANDARD_INPUT)) {
            return send("standard input", terminal.in(), OptionalLong.empty(), type);
        }
        Path path = Path.of(file);
        try (InputStream bytes = Files.newInputStream(path)) {
            // A pipe has a name, too, and no length.
            boolean isWhole = Files.isRegularFile(path);
            return send(file, bytes, isWhole ? OptionalLong.of(Files.size(path)) : OptionalLong.empty(), type);
        } catch (IOException e) {
            throw new CommandFailure(ExitCode.NOT_FOUND, "The file " + file + " cannot be read. Check its path.", e);
        }
    }

    private JsonNode send(String name, InputStream bytes, OptionalLong length, String type) {
        DigestInputStream digested = new DigestInputStream(bytes, Sha256.digest());
        try (TransferLine line = new TransferLine(terminal, name, length.orElse(0))) {
            JsonNode blob = client.upload(BLOBS, type, line.counting(digested), length);
            String read = HexFormat.of().formatHex(digested.getMessageDigest().digest());
            if (!read.equals(Json.text(blob, "sha256"))) {
                throw new CommandFailure(
                        ExitCode.INTERNAL,
                        "The server has stored other bytes than " + name + " has: it answers with the SHA-256 "
                                + Json.text(blob, "sha256") + ", and the bytes have " + read
                                + ". Do not use the blob, and upload the file again.");
            }
            return blob;
        }
    }

    private static String typeOf(String file) {
        String guessed = URLConnection.guessContentTypeFromName(file);
        return guessed == null ? MEDIA_TYPE_DEFAULT : guessed;
    }
}
