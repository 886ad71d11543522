package dev.millrace.scheduler.webhook;

import dev.millrace.scheduler.webhook.core.Hmac;
import java.security.GeneralSecurityException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** HMAC of the Java platform. Thread-safe. */
enum PlatformHmac implements Hmac {
    INSTANCE;

    private static final String NAME = "HmacSHA256";

    @Override
    public byte[] sha256(byte[] key, byte[] message) {
        try {
            Mac mac = Mac.getInstance(NAME);
            mac.init(new SecretKeySpec(key, NAME));
            return mac.doFinal(message);
        } catch (GeneralSecurityException impossible) {
            throw new AssertionError("every Java platform has HMAC-SHA-256", impossible);
        }
    }
}
