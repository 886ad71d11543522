package dev.millrace.scheduler.secret.external;

import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.secret.core.SecretValue;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A folder with a file for each value, at {@code WORKSPACE/PATH}, as the tools SOPS and External Secrets or a Kubernetes
 * volume provide them. One line end at the end of a file does not count.
 *
 * <p>Symbolic links are followed, because Kubernetes uses them to exchange all files at once, but only within the
 * folder.
 */
public final class SecretFolder implements ExternalSource {
    private final Path root;

    public SecretFolder(Path root) {
        this.root = root.toAbsolutePath();
    }

    @Override
    public Optional<String> find(Workspace workspace, String path) {
        Path file = root.resolve(workspace.name()).resolve(path);
        try {
            Path real = file.toRealPath();
            if (!real.startsWith(root.toRealPath())) {
                throw unreadable(file, "it leads out of the folder " + root + ", where nothing is read");
            }
            if (!Files.isRegularFile(real)) {
                throw unreadable(file, "it is no file");
            }
            // Two bytes more, for the line end.
            if (Files.size(real) > SecretValue.BYTES_MAX + 2) {
                throw unreadable(file, "it is larger than " + SecretValue.BYTES_MAX + " bytes");
            }
            return Optional.of(withoutLineEnd(Files.readString(real, StandardCharsets.UTF_8)));
        } catch (NoSuchFileException absent) {
            return Optional.empty();
        } catch (IOException failure) {
            throw new MillraceException(
                    ErrorCode.SECRET_STORE_UNAVAILABLE,
                    "The secret in " + file + " cannot be read: " + failure,
                    failure);
        }
    }

    private static String withoutLineEnd(String text) {
        String withoutFeed = text.endsWith("\n") ? text.substring(0, text.length() - 1) : text;
        return withoutFeed.length() < text.length() && withoutFeed.endsWith("\r")
                ? withoutFeed.substring(0, withoutFeed.length() - 1)
                : withoutFeed;
    }

    private static MillraceException unreadable(Path file, String reason) {
        return new MillraceException(
                ErrorCode.SECRET_UNAVAILABLE, "The secret in " + file + " cannot be used: " + reason + ".");
    }
}
