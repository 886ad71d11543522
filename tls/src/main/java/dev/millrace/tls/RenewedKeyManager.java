package dev.millrace.tls;

import static java.util.Objects.requireNonNull;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * Shows the certificate that is in its file at the time of a handshake. Each certificate has an alias of its own, so
 * that a handshake gets the certificate and the key that belong together, also while they are renewed.
 */
final class RenewedKeyManager extends X509ExtendedKeyManager {
    private static final String ALIAS = "millrace-";

    private final Renewed<Identity> identity;
    private final AtomicReference<Offers> offers;

    RenewedKeyManager(Renewed<Identity> identity) {
        this.identity = requireNonNull(identity, "identity");
        this.offers = new AtomicReference<>(new Offers(0, identity.current(), null));
    }

    /** The alias of the present certificate. */
    private String alias() {
        Identity now = identity.current();
        return ALIAS + offers.updateAndGet(old -> old.with(now)).number;
    }

    private @Nullable Identity identity(String alias) {
        Offers known = offers.get();
        if (alias.equals(ALIAS + known.number)) {
            return known.latest;
        }
        return alias.equals(ALIAS + (known.number - 1)) ? known.former : null;
    }

    @Override
    public X509Certificate @Nullable [] getCertificateChain(String alias) {
        Identity named = identity(alias);
        return named == null ? null : named.chain().toArray(X509Certificate[]::new);
    }

    @Override
    public @Nullable PrivateKey getPrivateKey(String alias) {
        Identity named = identity(alias);
        return named == null ? null : named.key();
    }

    @Override
    public String chooseEngineServerAlias(String keyType, Principal @Nullable [] issuers, SSLEngine engine) {
        return alias();
    }

    @Override
    public String chooseEngineClientAlias(String[] keyTypes, Principal @Nullable [] issuers, SSLEngine engine) {
        return alias();
    }

    @Override
    public String chooseServerAlias(String keyType, Principal @Nullable [] issuers, Socket socket) {
        return alias();
    }

    @Override
    public String chooseClientAlias(String[] keyTypes, Principal @Nullable [] issuers, Socket socket) {
        return alias();
    }

    @Override
    public String[] getServerAliases(String keyType, Principal @Nullable [] issuers) {
        return new String[] {alias()};
    }

    @Override
    public String[] getClientAliases(String keyType, Principal @Nullable [] issuers) {
        return new String[] {alias()};
    }

    /** The certificate that is shown, and the one before it, which handshakes in progress may still ask for. */
    private record Offers(
            int number, Identity latest, @Nullable Identity former) {
        Offers with(Identity now) {
            return now.equals(latest) ? this : new Offers(number + 1, now, latest);
        }
    }
}
