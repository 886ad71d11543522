package dev.millrace.cli.local;

import dev.millrace.scheduler.doctor.Finding;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;
import java.util.Set;

/** Looks at files with certificates and keys that the settings name. */
final class CertificateCheck {
    /** Time before the end of a certificate in which it should be renewed. */
    private static final Duration RENEWAL = Duration.ofDays(30);

    private static final String SUBJECT = "certificates";

    private CertificateCheck() {}

    /** Judges the certificate of the file that ends first. */
    static Finding certificate(String setting, Path file, Instant now) {
        String name = file + " (" + setting + ")";
        Collection<? extends Certificate> certificates;
        try (InputStream in = Files.newInputStream(file)) {
            certificates = CertificateFactory.getInstance("X.509").generateCertificates(in);
        } catch (IOException | CertificateException e) {
            return Finding.error(
                    SUBJECT,
                    name + " cannot be read as certificates: " + e.getMessage(),
                    "Name a file with certificates in PEM that this user may read.");
        }
        Optional<X509Certificate> first = certificates.stream()
                .filter(X509Certificate.class::isInstance)
                .map(X509Certificate.class::cast)
                .min(Comparator.comparing(
                        certificate -> certificate.getNotAfter().toInstant()));
        if (first.isEmpty()) {
            return Finding.error(SUBJECT, name + " has no certificate.", "Name a file with certificates in PEM.");
        }
        Instant begin = first.get().getNotBefore().toInstant();
        Instant end = first.get().getNotAfter().toInstant();
        String until = name + " is valid until " + end.truncatedTo(ChronoUnit.SECONDS) + ".";
        if (now.isBefore(begin)) {
            return Finding.error(
                    SUBJECT,
                    name + " is valid only from " + begin.truncatedTo(ChronoUnit.SECONDS) + ".",
                    "Correct the clock of this machine, or wait.");
        }
        if (now.isAfter(end)) {
            return Finding.error(
                    SUBJECT,
                    name + " has expired at " + end.truncatedTo(ChronoUnit.SECONDS) + ".",
                    "Renew it and replace the file; running services read it again by themselves.");
        }
        return now.isAfter(end.minus(RENEWAL))
                ? Finding.warning(
                        SUBJECT, until, "Renew it and replace the file; running services read it again by themselves.")
                : Finding.ok(SUBJECT, until);
    }

    /** Judges who may read a key. */
    static Finding key(String setting, Path file) {
        String name = file + " (" + setting + ")";
        if (!Files.isReadable(file)) {
            return Finding.error(
                    SUBJECT, name + " cannot be read.", "Name a file with a key in PEM that this user may read.");
        }
        try {
            Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
            return permissions.contains(PosixFilePermission.OTHERS_READ)
                    ? Finding.warning(
                            SUBJECT,
                            "Every user of this machine may read the key " + name + ".",
                            "Run chmod 600 " + file + ".")
                    : Finding.ok(SUBJECT, "The key " + name + " is readable and private.");
        } catch (IOException | UnsupportedOperationException noPermissions) {
            return Finding.ok(SUBJECT, "The key " + name + " is readable.");
        }
    }
}
