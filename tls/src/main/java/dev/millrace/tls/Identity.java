package dev.millrace.tls;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;

/** A certificate with its private key and the certificates of intermediate authorities. */
record Identity(PrivateKey key, List<X509Certificate> chain) {
    private static final byte[] PROBE = "Does the key belong to the certificate?".getBytes(US_ASCII);

    Identity {
        chain = List.copyOf(chain);
    }

    /** Reads an identity. Fails unless the key belongs to the certificate, which must be valid at this time. */
    static Identity read(KeyFiles files, Instant now) {
        Identity read = new Identity(Pem.key(files.key()), Pem.certificates(files.certificate()));
        if (!read.isOfOneKey()) {
            throw new TlsException("The key in " + files.key() + " does not belong to the certificate in "
                    + files.certificate() + ": set both files to those of one certificate.");
        }
        X509Certificate own = read.chain.get(0);
        if (now.isAfter(own.getNotAfter().toInstant())) {
            throw new TlsException("The certificate in " + files.certificate() + " expired at "
                    + own.getNotAfter().toInstant() + ": renew it.");
        }
        return read;
    }

    X509Certificate certificate() {
        return chain.get(0);
    }

    private boolean isOfOneKey() {
        String algorithm = switch (key.getAlgorithm()) {
            case "EC" -> "SHA256withECDSA";
            case "RSA" -> "SHA256withRSA";
            default -> "EdDSA";
        };
        try {
            Signature signature = Signature.getInstance(algorithm);
            signature.initSign(key);
            signature.update(PROBE);
            byte[] signed = signature.sign();
            signature.initVerify(certificate().getPublicKey());
            signature.update(PROBE);
            return signature.verify(signed);
        } catch (GeneralSecurityException ofDifferentKinds) {
            return false;
        }
    }
}
