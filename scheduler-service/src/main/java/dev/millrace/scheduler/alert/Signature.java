package dev.millrace.scheduler.alert;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Signatures of <a href="https://www.standardwebhooks.com">Standard Webhooks 1.0</a>, version 1. */
final class Signature {
    private static final String ALGORITHM = "HmacSHA256";
    private static final String SECRET_START = "whsec_";

    private Signature() {}

    /**
     * Returns the value of the header {@code webhook-signature}.
     *
     * @param secret {@code whsec_} and a key in base64, or any other text, whose UTF-8 is the key
     * @param id value of the header {@code webhook-id}
     * @param seconds value of the header {@code webhook-timestamp}
     */
    static String of(String secret, String id, long seconds, String body) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(key(secret), ALGORITHM));
            byte[] sum = mac.doFinal((id + "." + seconds + "." + body).getBytes(UTF_8));
            return "v1," + Base64.getEncoder().encodeToString(sum);
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("each JVM has " + ALGORITHM, impossible);
        }
    }

    private static byte[] key(String secret) {
        if (secret.startsWith(SECRET_START)) {
            try {
                return Base64.getDecoder().decode(secret.substring(SECRET_START.length()));
            } catch (IllegalArgumentException noBase64) {
                return secret.getBytes(UTF_8);
            }
        }
        return secret.getBytes(UTF_8);
    }
}
