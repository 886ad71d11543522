package dev.millrace.cli.blob;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Creates digests. */
final class Sha256 {
    private Sha256() {}

    static MessageDigest digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform has SHA-256", impossible);
        }
    }
}
