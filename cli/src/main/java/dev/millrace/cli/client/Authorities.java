package dev.millrace.cli.client;

import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Collection;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/** TLS contexts that trust other authorities than those of the machine. */
final class Authorities {
    private static final String CONTEXT = "TLS";

    private Authorities() {}

    /**
     * For connections without TLS. Java would read the machine's certificates in vain, which takes longer than a call.
     */
    static SSLContext none() {
        try {
            SSLContext context = SSLContext.getInstance(CONTEXT);
            context.init(new KeyManager[0], new TrustManager[0], null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("This Java has no TLS.", e);
        }
    }

    /** Trusts the certificates of this PEM file only. */
    static SSLContext of(Path file) {
        try (InputStream pem = Files.newInputStream(file)) {
            Collection<? extends Certificate> authorities =
                    CertificateFactory.getInstance("X.509").generateCertificates(pem);
            if (authorities.isEmpty()) {
                throw new CommandFailure(ExitCode.USAGE, "The file " + file + " holds no certificate." + expected());
            }
            return context(authorities);
        } catch (GeneralSecurityException e) {
            throw new CommandFailure(
                    ExitCode.USAGE,
                    "The certificates of the file " + file + " cannot be read: " + e.getMessage() + "." + expected(),
                    e);
        } catch (IOException e) {
            throw new CommandFailure(
                    ExitCode.NOT_FOUND,
                    "The file " + file + " with the authority's certificate cannot be read. Check its path and"
                            + " permissions.",
                    e);
        }
    }

    private static SSLContext context(Collection<? extends Certificate> authorities)
            throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        for (Certificate authority : authorities) {
            store.setCertificateEntry("authority-" + store.size(), authority);
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        SSLContext context = SSLContext.getInstance(CONTEXT);
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }

    private static String expected() {
        return " Name a PEM file with the certificate of the gateway's authority with --ca-file or MILLRACE_CA_FILE.";
    }
}
