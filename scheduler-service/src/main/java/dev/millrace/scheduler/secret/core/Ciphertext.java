package dev.millrace.scheduler.secret.core;

import static java.util.Objects.requireNonNull;

/** Encrypted bytes. Nobody changes them, so they are not copied. */
public final class Ciphertext {
    private final byte[] bytes;

    public Ciphertext(byte[] bytes) {
        this.bytes = requireNonNull(bytes, "bytes");
    }

    public byte[] bytes() {
        return bytes;
    }

    @Override
    public String toString() {
        return "Ciphertext[" + bytes.length + " bytes]";
    }
}
