package dev.millrace.scheduler.rpc;

import dev.millrace.scheduler.config.GrpcConfig;
import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.tls.GrpcTls;
import dev.millrace.tls.TlsException;
import dev.millrace.tls.TlsFiles;
import io.grpc.netty.NettyServerBuilder;
import java.util.Optional;

/** TLS of the gRPC server if it is configured. Renewed certificates are used for new connections. */
final class ServerTls implements AutoCloseable {
    private final Optional<TlsFiles> files;

    private ServerTls(Optional<TlsFiles> files) {
        this.files = files;
    }

    /** Reads the certificates, and sets the server up to use them. */
    static ServerTls protect(NettyServerBuilder server, GrpcConfig config) {
        try {
            ServerTls tls =
                    new ServerTls(config.tls().map(it -> TlsFiles.open(Optional.of(it.own()), it.clientAuthorities())));
            tls.files.map(GrpcTls::server).ifPresent(server::sslContext);
            return tls;
        } catch (TlsException unusable) {
            throw new MillraceException(ErrorCode.INVALID_CONFIG, String.valueOf(unusable.getMessage()), unusable);
        }
    }

    @Override
    public void close() {
        files.ifPresent(TlsFiles::close);
    }
}
