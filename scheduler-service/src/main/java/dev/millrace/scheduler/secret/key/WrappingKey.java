package dev.millrace.scheduler.secret.key;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import com.google.crypto.tink.Aead;
import dev.millrace.scheduler.secret.core.Ciphertext;
import java.security.GeneralSecurityException;

/**
 * A key-encryption key: wraps the keys of workspaces, and nothing else.
 *
 * @param id name of its file without {@code .key}, or {@code vault:NAME}
 */
record WrappingKey(String id, Aead aead) {
    private static final byte[] PROVEN = "millrace".getBytes(UTF_8);

    WrappingKey {
        requireNonNull(id, "id");
        requireNonNull(aead, "aead");
    }

    /** A text that only this key decrypts. */
    Ciphertext proof() {
        try {
            return new Ciphertext(aead.encrypt(PROVEN, proofPlace()));
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("the key " + id + " encrypts nothing", impossible);
        }
    }

    /** Whether this key made the proof. */
    boolean made(Ciphertext proof) {
        try {
            aead.decrypt(proof.bytes(), proofPlace());
            return true;
        } catch (GeneralSecurityException otherKey) {
            return false;
        }
    }

    private byte[] proofPlace() {
        return ("proof|" + id).getBytes(UTF_8);
    }

    @Override
    public String toString() {
        return "WrappingKey[" + id + "]";
    }
}
