package dev.millrace.scheduler.secret.key;

import com.google.crypto.tink.Aead;
import com.google.crypto.tink.Configuration;
import com.google.crypto.tink.KeysetHandle;
import com.google.crypto.tink.RegistryConfiguration;
import com.google.crypto.tink.aead.AeadConfig;
import java.security.GeneralSecurityException;

/** Ciphers of keys. Loading the class registers the algorithms of Tink. */
final class Ciphers {
    static final Configuration CONFIGURATION;

    static {
        try {
            AeadConfig.register();
            CONFIGURATION = RegistryConfiguration.get();
        } catch (GeneralSecurityException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private Ciphers() {}

    static Aead of(KeysetHandle keys) throws GeneralSecurityException {
        return keys.getPrimitive(CONFIGURATION, Aead.class);
    }
}
