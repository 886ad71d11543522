package dev.millrace.tls;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Files of somebody's own certificate, in PEM.
 *
 * @param certificate the certificate, followed by those of intermediate authorities
 * @param key its private key, in PKCS #8 and not encrypted
 */
public record KeyFiles(Path certificate, Path key) {
    public KeyFiles {
        requireNonNull(certificate, "certificate");
        requireNonNull(key, "key");
    }

    /**
     * The files of two settings; empty if neither is set.
     *
     * @param certificateKey key of the setting for the certificate, for example {@code millrace.grpc.tls.certificate}
     * @param keyKey key of the setting for the private key
     * @throws TlsException if only one of them is set
     */
    public static Optional<KeyFiles> of(
            String certificateKey, Optional<Path> certificate, String keyKey, Optional<Path> key) {
        if (certificate.isPresent() != key.isPresent()) {
            throw new TlsException((certificate.isPresent() ? keyKey : certificateKey)
                    + " is missing: a certificate is of use with its key only, and "
                    + (certificate.isPresent() ? certificateKey : keyKey) + " is set.");
        }
        return certificate.map(file -> new KeyFiles(file, key.orElseThrow()));
    }
}
