package dev.millrace.tls;

import java.nio.file.Path;
import java.security.GeneralSecurityException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;

/** Authorities of a PEM file for a program that ends soon: the file is read once. */
public final class TrustedAuthorities {
    private TrustedAuthorities() {}

    /** What connections need that trust these authorities and no others. Fails with {@link TlsException}. */
    public static SSLContext of(Path file) {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {RenewedTrustManager.read(file)}, null);
            return context;
        } catch (GeneralSecurityException unusable) {
            throw new TlsException(
                    "The authorities in " + file + " cannot be used: " + unusable.getMessage(), unusable);
        }
    }
}
