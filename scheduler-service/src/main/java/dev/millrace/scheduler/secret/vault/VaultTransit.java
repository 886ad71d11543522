package dev.millrace.scheduler.secret.vault;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.crypto.tink.Aead;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.Map;

/**
 * A key of the transit engine, which never leaves Vault. It must be of a type that binds associated data, such as the
 * default {@code aes256-gcm96}. Blocking and thread-safe.
 */
public final class VaultTransit implements Aead {
    /** Start of the ids of such keys. */
    public static final String ID_START = "vault:";

    private final VaultClient client;
    private final String name;

    public VaultTransit(VaultClient client, String name) {
        this.client = client;
        this.name = name;
    }

    public String id() {
        return ID_START + name;
    }

    @Override
    public byte[] encrypt(byte[] plaintext, byte[] associatedData) throws GeneralSecurityException {
        return call("encrypt", "plaintext", base64(plaintext), associatedData, "ciphertext")
                .getBytes(US_ASCII);
    }

    @Override
    public byte[] decrypt(byte[] ciphertext, byte[] associatedData) throws GeneralSecurityException {
        String plaintext = call("decrypt", "ciphertext", new String(ciphertext, US_ASCII), associatedData, "plaintext");
        return Base64.getDecoder().decode(plaintext);
    }

    private String call(String verb, String member, String value, byte[] associatedData, String wanted)
            throws GeneralSecurityException {
        JsonNode answer = client.post(
                client.config().transitMount() + "/" + verb + "/" + name,
                Map.of(member, value, "associated_data", base64(associatedData)));
        JsonNode found = answer.path("data").path(wanted);
        if (!found.isTextual()) {
            throw new GeneralSecurityException("Vault answered without " + wanted + ".");
        }
        return found.textValue();
    }

    private static String base64(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }
}
