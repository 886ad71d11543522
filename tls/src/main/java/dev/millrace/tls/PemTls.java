package dev.millrace.tls;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** TLS of clients whose certificates are texts in PEM, such as those of a resource. */
public final class PemTls {
    private static final char[] NO_PASSWORD = {};

    private PemTls() {}

    /**
     * What the client shows if the server asks for a certificate.
     *
     * @param certificate in PEM, with those of intermediate authorities
     * @param key in PEM, in PKCS #8
     */
    public record Own(String certificate, String key) {
        /** Hides the key. */
        @Override
        public String toString() {
            return "a certificate with its key";
        }
    }

    /**
     * Makes what connections of a client need.
     *
     * @param place of the texts, which begins sentences
     * @param authorities that are trusted, in PEM; empty means those that Java trusts
     * @throws TlsException if a text cannot be used
     */
    public static SSLContext client(String place, Optional<String> authorities, Optional<Own> own) {
        List<X509Certificate> trusted =
                authorities.map(text -> Pem.certificates(place, text)).orElse(List.of());
        Optional<Identity> identity = own.map(
                texts -> new Identity(Pem.key(place, texts.key()), Pem.certificates(place, texts.certificate())));
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(
                    identity.isPresent() ? keys(identity.get()) : null,
                    trusted.isEmpty() ? null : trust(trusted),
                    null);
            return context;
        } catch (GeneralSecurityException | IOException unusable) {
            throw new TlsException(
                    place + " holds certificates that cannot be used: " + unusable.getMessage(), unusable);
        }
    }

    private static KeyManager[] keys(Identity identity) throws GeneralSecurityException, IOException {
        KeyStore store = store();
        X509Certificate[] chain = identity.chain().toArray(X509Certificate[]::new);
        store.setKeyEntry("own", identity.key(), NO_PASSWORD, chain);
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, NO_PASSWORD);
        return keys.getKeyManagers();
    }

    private static TrustManager @Nullable [] trust(List<X509Certificate> authorities)
            throws GeneralSecurityException, IOException {
        KeyStore store = store();
        for (int index = 0; index < authorities.size(); index++) {
            store.setCertificateEntry("authority" + index, authorities.get(index));
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        return trust.getTrustManagers();
    }

    private static KeyStore store() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, NO_PASSWORD);
        return store;
    }
}
