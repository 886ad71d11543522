package dev.millrace.tls;

import dev.millrace.certificate.Authority;
import dev.millrace.certificate.Certificate;
import dev.millrace.certificate.Validity;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/** Certificates in a folder of a test. */
record TestFiles(Path folder) {
    static final Validity MONTH = Validity.ofNext(Duration.ofDays(30));

    static Authority authority(String name) {
        return Authority.create(name, MONTH);
    }

    /** Writes a certificate of a server on this machine, in place of one that may be there. */
    KeyFiles server(Authority authority) {
        return write("server", authority.issueForServer(List.of("localhost", "127.0.0.1"), MONTH));
    }

    KeyFiles client(Authority authority) {
        return write("client", authority.issueForClient("worker", MONTH));
    }

    KeyFiles write(String name, Certificate certificate) {
        return new KeyFiles(
                write(name + ".pem", certificate.certificatePem()), write(name + ".key", certificate.keyPem()));
    }

    Path authorities(Authority authority) {
        return write("ca.pem", authority.certificate().certificatePem());
    }

    Path write(String name, String text) {
        try {
            return Files.writeString(folder.resolve(name), text);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    static TlsFiles unwatched(KeyFiles own, Optional<Path> authorities) {
        return TlsFiles.unwatched(Optional.of(own), authorities, InstantSource.system());
    }

    /** Looks at the files until they count as settled. */
    static void settle(TlsFiles files) {
        files.check();
        files.check();
    }
}
