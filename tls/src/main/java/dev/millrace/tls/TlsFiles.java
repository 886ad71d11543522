package dev.millrace.tls;

import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The certificates of one party, read from PEM files. A daemon thread looks at the files every few seconds: new
 * connections use what is in them, open connections stay. Files that cannot be used are reported in the log, and the old
 * certificates stay in use. Thread-safe.
 */
public final class TlsFiles implements AutoCloseable {
    /** Interval at which files are looked at. A change takes effect after two of them at most. */
    static final Duration CHECK_INTERVAL = Duration.ofSeconds(3);

    /** Time before the end of a certificate at which the log begins to warn. */
    private static final Duration EXPIRY_NOTICE = Duration.ofDays(7);

    private static final Duration WARNING_INTERVAL = Duration.ofDays(1);
    private static final Logger log = LoggerFactory.getLogger(TlsFiles.class);

    private final InstantSource clock;
    private final Optional<Renewed<Identity>> own;
    private final Optional<Renewed<X509ExtendedTrustManager>> trusted;
    private final ScheduledExecutorService checks;
    private Instant warned = Instant.MIN;

    private TlsFiles(Optional<KeyFiles> own, Optional<Path> authorities, InstantSource clock) {
        this.clock = clock;
        this.own = own.map(files ->
                new Renewed<>(List.of(files.certificate(), files.key()), () -> Identity.read(files, clock.instant())));
        this.trusted = authorities.map(file -> new Renewed<>(List.of(file), () -> RenewedTrustManager.read(file)));
        this.checks = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "tls-files");
            thread.setDaemon(true);
            return thread;
        });
    }

    /**
     * Reads the files and begins to look at them.
     *
     * @param own what this party shows
     * @param authorities file with the authorities whose certificates this party accepts
     * @throws TlsException if a file cannot be used
     */
    public static TlsFiles open(Optional<KeyFiles> own, Optional<Path> authorities) {
        TlsFiles files = new TlsFiles(own, authorities, InstantSource.system());
        files.warnBeforeExpiry();
        var unused = files.checks.scheduleWithFixedDelay(
                files::check, CHECK_INTERVAL.toMillis(), CHECK_INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
        return files;
    }

    /** Reads the files without looking at them again by itself. */
    static TlsFiles unwatched(Optional<KeyFiles> own, Optional<Path> authorities, InstantSource clock) {
        return new TlsFiles(own, authorities, clock);
    }

    /** Shows this party's certificate; empty if it has none. */
    public Optional<X509ExtendedKeyManager> keyManager() {
        return own.map(RenewedKeyManager::new);
    }

    /** Accepts certificates of the authorities; empty if there is no file with them. */
    public Optional<X509ExtendedTrustManager> trustManager() {
        return trusted.map(RenewedTrustManager::new);
    }

    /** Looks at the files. */
    void check() {
        try {
            own.ifPresent(Renewed::check);
            trusted.ifPresent(Renewed::check);
            warnBeforeExpiry();
        } catch (RuntimeException defect) {
            log.atError().setCause(defect).log("Certificates could not be checked");
        }
    }

    private void warnBeforeExpiry() {
        own.map(Renewed::current).map(Identity::certificate).ifPresent(this::warnBeforeExpiry);
    }

    private void warnBeforeExpiry(X509Certificate certificate) {
        Instant now = clock.instant();
        Instant end = certificate.getNotAfter().toInstant();
        if (now.plus(EXPIRY_NOTICE).isAfter(end) && !now.minus(WARNING_INTERVAL).isBefore(warned)) {
            warned = now;
            log.atWarn()
                    .addKeyValue(
                            "subject", certificate.getSubjectX500Principal().getName())
                    .addKeyValue("expires", end)
                    .log("A certificate expires soon: renew it");
        }
    }

    @Override
    public void close() {
        checks.shutdownNow();
    }
}
