package dev.millrace.worker;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.Optional;

/**
 * TLS of a worker's connection. All files are PEM, and are read again when they change: new connections use what is in
 * them, and open connections stay.
 *
 * @param authorities file with the authorities that the scheduler's certificate may come from; empty means those that
 *     Java trusts
 * @param certificate file with what the worker shows if the scheduler asks for a certificate
 * @param key file with the key of that certificate, in PKCS #8 and not encrypted
 */
public record Tls(Optional<Path> authorities, Optional<Path> certificate, Optional<Path> key) {
    public Tls {
        requireNonNull(authorities, "authorities");
        requireNonNull(certificate, "certificate");
        requireNonNull(key, "key");
        if (certificate.isPresent() != key.isPresent()) {
            throw new IllegalArgumentException("certificate and key: one is missing (expected: both, or neither)");
        }
    }

    /** Trusts the authorities that Java trusts. */
    public static Tls ofSystem() {
        return new Tls(Optional.empty(), Optional.empty(), Optional.empty());
    }

    /** Trusts the authorities in a file only. */
    public static Tls trusting(Path authorities) {
        return new Tls(Optional.of(authorities), Optional.empty(), Optional.empty());
    }

    /** With a certificate of the worker's own, for schedulers that ask for one. */
    public Tls withCertificate(Path file, Path keyFile) {
        return new Tls(authorities, Optional.of(file), Optional.of(keyFile));
    }
}
