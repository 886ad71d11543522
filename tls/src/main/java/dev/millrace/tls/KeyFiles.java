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
     * @param section what both keys begin with, for example {@code millrace.grpc.tls}
     * @throws TlsException if only one of them is set
     */
    public static Optional<KeyFiles> of(String section, Optional<Path> certificate, Optional<Path> key) {
        if (certificate.isPresent() != key.isPresent()) {
            String missing = section + (certificate.isPresent() ? ".key" : ".certificate");
            String present = section + (certificate.isPresent() ? ".certificate" : ".key");
            throw new TlsException(
                    missing + " is missing: a certificate is of use with its key only, and " + present + " is set.");
        }
        return certificate.map(file -> new KeyFiles(file, key.orElseThrow()));
    }
}
