package dev.millrace.scheduler.secret.core;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import java.util.UUID;

/**
 * The place to which an encrypted value is bound. A ciphertext that somebody moves to another place cannot be decrypted
 * there.
 *
 * @param keys id of the workspace's keys, of which each workspace has its own
 */
public record ValuePlace(UUID keys, String path, long version) {
    public ValuePlace {
        requireNonNull(keys, "keys");
        requireNonNull(path, "path");
    }

    /** The place as the associated data of the cipher. Paths contain no {@code |}. */
    public byte[] bytes() {
        return ("secret|" + keys + "|" + path + "|" + version).getBytes(UTF_8);
    }
}
