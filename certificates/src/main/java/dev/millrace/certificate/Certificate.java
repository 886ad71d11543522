package dev.millrace.certificate;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.security.PrivateKey;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.Base64;

/** A certificate and its private key. */
public record Certificate(X509Certificate certificate, PrivateKey key) {
    private static final int LINE_LENGTH = 64;

    /** The certificate in PEM. */
    public String certificatePem() {
        try {
            return pem("CERTIFICATE", certificate.getEncoded());
        } catch (CertificateEncodingException impossible) {
            throw new IllegalStateException("a certificate that was just made has no encoding", impossible);
        }
    }

    /** The private key in PEM, in PKCS #8 and not encrypted. */
    public String keyPem() {
        return pem("PRIVATE KEY", key.getEncoded());
    }

    private static String pem(String label, byte[] content) {
        return "-----BEGIN " + label + "-----\n"
                + Base64.getMimeEncoder(LINE_LENGTH, "\n".getBytes(US_ASCII)).encodeToString(content)
                + "\n-----END " + label + "-----\n";
    }

    /** Hides the key. */
    @Override
    public String toString() {
        return "Certificate[" + certificate.getSubjectX500Principal() + "]";
    }
}
