package dev.millrace.gateway;

import com.linecorp.armeria.server.ServerBuilder;
import dev.millrace.tls.KeyFiles;
import dev.millrace.tls.TlsFiles;
import io.netty.handler.ssl.util.SimpleKeyManagerFactory;
import java.net.InetSocketAddress;
import java.security.KeyStore;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.ManagerFactoryParameters;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/** TLS of the HTTP server if it is configured. Renewed certificates are used for new connections. */
final class HttpTls implements AutoCloseable {
    private final Optional<TlsFiles> files;

    private HttpTls(Optional<TlsFiles> files) {
        this.files = files;
    }

    /** Reads the certificate. */
    static HttpTls open(Optional<KeyFiles> own) {
        return new HttpTls(own.map(it -> TlsFiles.open(Optional.of(it), Optional.empty())));
    }

    /** Lets the server listen, with TLS if there is a certificate. */
    ServerBuilder listen(ServerBuilder server, InetSocketAddress address) {
        return files.flatMap(TlsFiles::keyManager)
                .map(keys -> server.https(address).tls(new Keys(keys)))
                .orElseGet(() -> server.http(address));
    }

    @Override
    public void close() {
        files.ifPresent(TlsFiles::close);
    }

    /** What the server asks for the certificate at each handshake. */
    private static final class Keys extends SimpleKeyManagerFactory {
        private final X509ExtendedKeyManager keys;

        Keys(X509ExtendedKeyManager keys) {
            this.keys = keys;
        }

        @Override
        protected void engineInit(@Nullable KeyStore keyStore, char @Nullable [] password) {}

        @Override
        protected void engineInit(@Nullable ManagerFactoryParameters parameters) {}

        @Override
        protected KeyManager[] engineGetKeyManagers() {
            return new KeyManager[] {keys};
        }
    }
}
