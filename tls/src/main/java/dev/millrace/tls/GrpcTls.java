package dev.millrace.tls;

import io.grpc.netty.GrpcSslContexts;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import javax.net.ssl.SSLException;

/** Makes of certificates what gRPC's transport takes. It uses BoringSSL if that is on the class path, else Java's own. */
public final class GrpcTls {
    private static final String[] PROTOCOLS = {"TLSv1.3", "TLSv1.2"};

    private GrpcTls() {}

    /** TLS of a server with a certificate of its own. Clients must show one, too, if the files name authorities. */
    public static SslContext server(TlsFiles files) {
        SslContextBuilder builder =
                SslContextBuilder.forServer(files.keyManager().orElseThrow());
        files.trustManager().ifPresent(trusted -> builder.trustManager(trusted).clientAuth(ClientAuth.REQUIRE));
        return build(builder);
    }

    static SslContext client(TlsFiles files) {
        SslContextBuilder builder = SslContextBuilder.forClient();
        files.keyManager().ifPresent(builder::keyManager);
        files.trustManager().ifPresent(builder::trustManager);
        return build(builder);
    }

    private static SslContext build(SslContextBuilder builder) {
        try {
            return GrpcSslContexts.configure(builder).protocols(PROTOCOLS).build();
        } catch (SSLException unusable) {
            throw new TlsException("TLS cannot be set up: " + unusable.getMessage(), unusable);
        }
    }
}
