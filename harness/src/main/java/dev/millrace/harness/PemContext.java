package dev.millrace.harness;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** What a server of a test needs for TLS, made of files in PEM. */
final class PemContext {
    private static final char[] NO_PASSWORD = {};

    private PemContext() {}

    /** @param key on an elliptic curve, in PKCS #8 */
    static SSLContext of(Path certificate, Path key) throws IOException {
        try (InputStream in = Files.newInputStream(certificate)) {
            Certificate[] chain = CertificateFactory.getInstance("X.509").generateCertificates(in).stream()
                    .toArray(Certificate[]::new);
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, NO_PASSWORD);
            store.setKeyEntry("server", privateKey(key), NO_PASSWORD, chain);
            KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keys.init(store, NO_PASSWORD);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys.getKeyManagers(), null, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IOException("The certificate " + certificate + " cannot be used: " + e.getMessage(), e);
        }
    }

    private static PrivateKey privateKey(Path file) throws IOException, GeneralSecurityException {
        String text = Files.readString(file).replaceAll("-----[^-]+-----", "");
        return KeyFactory.getInstance("EC")
                .generatePrivate(new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(text)));
    }
}
