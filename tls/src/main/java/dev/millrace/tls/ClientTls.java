package dev.millrace.tls;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;

/**
 * TLS of whoever calls a scheduler.
 *
 * @param authorities file with the authorities that the scheduler's certificate may come from; empty means those that
 *     Java trusts
 * @param own what the caller shows if the scheduler asks for a certificate
 */
public record ClientTls(Optional<Path> authorities, Optional<KeyFiles> own) {
    public static final String CA = "millrace.scheduler.tls.ca";
    public static final String CERTIFICATE = "millrace.scheduler.tls.certificate";
    public static final String KEY = "millrace.scheduler.tls.key";

    /** Value of {@link #CA} that means the authorities that Java trusts. */
    public static final String SYSTEM = "system";

    public ClientTls {
        requireNonNull(authorities, "authorities");
        requireNonNull(own, "own");
    }

    /**
     * Reads the settings of a client; empty if it is to use no TLS.
     *
     * @param settings finds the value of a key
     * @throws TlsException if settings are missing
     */
    public static Optional<ClientTls> read(Function<String, Optional<String>> settings) {
        Optional<String> authorities = settings.apply(CA);
        Optional<KeyFiles> own = KeyFiles.of(
                CERTIFICATE,
                settings.apply(CERTIFICATE).map(Path::of),
                KEY,
                settings.apply(KEY).map(Path::of));
        if (authorities.isEmpty() && own.isPresent()) {
            throw new TlsException(CA + " is missing: set it to the file with the authority of the scheduler's"
                    + " certificate, or to \"" + SYSTEM + "\" for the authorities that Java trusts.");
        }
        return authorities.map(
                ca -> new ClientTls(ca.equals(SYSTEM) ? Optional.empty() : Optional.of(Path.of(ca)), own));
    }
}
