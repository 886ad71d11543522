package dev.millrace.scheduler.secret.key;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.crypto.tink.Aead;
import com.google.crypto.tink.KeysetHandle;
import com.google.crypto.tink.TinkProtoKeysetFormat;
import com.google.crypto.tink.aead.PredefinedAeadParameters;
import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.secret.core.Ciphertext;
import dev.millrace.scheduler.secret.core.SecretValue;
import dev.millrace.scheduler.secret.core.ValuePlace;
import java.security.GeneralSecurityException;
import java.util.UUID;

/** The keys of a workspace. The newest encrypts values, and each of them decrypts. Thread-safe. */
public final class Keyset {
    private final UUID id;
    private final KeysetHandle keys;
    private final Aead aead;

    private Keyset(UUID id, KeysetHandle keys) throws GeneralSecurityException {
        this.id = id;
        this.keys = keys;
        this.aead = Ciphers.of(keys);
    }

    static Keyset generate(UUID id) {
        try {
            return new Keyset(id, KeysetHandle.generateNew(PredefinedAeadParameters.AES256_GCM, Ciphers.CONFIGURATION));
        } catch (GeneralSecurityException impossible) {
            throw broken(impossible);
        }
    }

    /**
     * Unwraps the keys.
     *
     * @throws MillraceException with {@link ErrorCode#KEY_MISSING} if another key wrapped them, or they were changed
     */
    static Keyset unwrap(UUID id, Ciphertext wrapped, WrappingKey by) {
        try {
            return new Keyset(
                    id,
                    TinkProtoKeysetFormat.parseEncryptedKeyset(
                            wrapped.bytes(), by.aead(), place(id), Ciphers.CONFIGURATION));
        } catch (GeneralSecurityException otherKey) {
            throw new MillraceException(
                    ErrorCode.KEY_MISSING,
                    "The key-encryption key " + by.id() + " does not unwrap the keys of the workspace: restore the key"
                            + " that wrapped them, or the database from a backup.",
                    otherKey);
        }
    }

    Ciphertext wrap(WrappingKey by) {
        try {
            return new Ciphertext(
                    TinkProtoKeysetFormat.serializeEncryptedKeyset(keys, by.aead(), place(id), Ciphers.CONFIGURATION));
        } catch (GeneralSecurityException impossible) {
            throw broken(impossible);
        }
    }

    /** These keys and a new one, which encrypts from now on. */
    Keyset withNewKey() {
        try {
            return new Keyset(
                    id,
                    KeysetHandle.newBuilder(keys)
                            .setConfiguration(Ciphers.CONFIGURATION)
                            .addEntry(KeysetHandle.generateEntryFromParameters(PredefinedAeadParameters.AES256_GCM)
                                    .withRandomId()
                                    .makePrimary())
                            .build());
        } catch (GeneralSecurityException impossible) {
            throw broken(impossible);
        }
    }

    /** Only the key that encrypts. */
    Keyset withoutOldKeys() {
        KeysetHandle.Builder builder = KeysetHandle.newBuilder(keys);
        for (int i = builder.size() - 1; i >= 0; i--) {
            if (!builder.getAt(i).isPrimary()) {
                builder.deleteAt(i);
            }
        }
        try {
            return new Keyset(id, builder.build());
        } catch (GeneralSecurityException impossible) {
            throw broken(impossible);
        }
    }

    public UUID id() {
        return id;
    }

    /** Number of the key that encrypts. */
    public long dataKey() {
        return Integer.toUnsignedLong(keys.getPrimary().getId());
    }

    int size() {
        return keys.size();
    }

    /** Encrypts a value for its place. */
    public Ciphertext seal(SecretValue value, ValuePlace place) {
        try {
            return new Ciphertext(aead.encrypt(value.text().getBytes(UTF_8), place.bytes()));
        } catch (GeneralSecurityException impossible) {
            throw broken(impossible);
        }
    }

    /**
     * Decrypts the value of a place.
     *
     * @throws MillraceException with {@link ErrorCode#SECRET_UNAVAILABLE} if the value was sealed for another place or
     *     changed since
     */
    public SecretValue open(Ciphertext sealed, ValuePlace place) {
        try {
            return new SecretValue(new String(aead.decrypt(sealed.bytes(), place.bytes()), UTF_8));
        } catch (GeneralSecurityException foreign) {
            throw new MillraceException(
                    ErrorCode.SECRET_UNAVAILABLE,
                    "The stored value of the secret " + place.path() + " does not belong there: somebody changed the"
                            + " database. Set the secret again.",
                    foreign);
        }
    }

    private static byte[] place(UUID id) {
        return ("keys|" + id).getBytes(UTF_8);
    }

    private static IllegalStateException broken(GeneralSecurityException cause) {
        return new IllegalStateException("the cipher failed", cause);
    }
}
