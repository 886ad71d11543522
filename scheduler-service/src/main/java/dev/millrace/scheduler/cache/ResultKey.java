package dev.millrace.scheduler.cache;

import dev.millrace.scheduler.queue.core.JobKind;
import dev.millrace.scheduler.queue.core.Json;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Identifies a cached result. The key is a SHA-256 hash, in hex, of the folder for which the code ran, the kind of the
 * code, its hash or handler name, and what else the result depends on. A zero byte follows each part.
 */
record ResultKey(String hex) {
    static ResultKey of(String folder, JobKind kind, String target, Json key) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (String part : new String[] {folder, kind.name(), target, key.text()}) {
                digest.update(part.getBytes(StandardCharsets.UTF_8));
                digest.update((byte) 0);
            }
            return new ResultKey(HexFormat.of().formatHex(digest.digest()));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("Every JVM knows SHA-256.", impossible);
        }
    }
}
