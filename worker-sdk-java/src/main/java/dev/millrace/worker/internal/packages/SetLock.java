package dev.millrace.worker.internal.packages;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Versions that were chosen for a script, in the form of the program that has chosen them. */
record SetLock(String text) {
    SetLock {
        requireNonNull(text, "text");
    }

    /** Name of the folder with what is locked: scripts with the same lock share it. */
    String folderName() {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8)));
        } catch (NoSuchAlgorithmException impossible) {
            throw new AssertionError("every Java platform has SHA-256", impossible);
        }
    }
}
