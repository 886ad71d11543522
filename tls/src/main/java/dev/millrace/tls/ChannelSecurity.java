package dev.millrace.tls;

import io.grpc.netty.NettyChannelBuilder;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What protects a channel to the scheduler: TLS, or nothing. To be closed after the channel. */
public final class ChannelSecurity implements AutoCloseable {
    private final @Nullable TlsFiles files;

    private ChannelSecurity(@Nullable TlsFiles files) {
        this.files = files;
    }

    /**
     * Reads the certificates.
     *
     * @throws TlsException if a file cannot be used
     */
    public static ChannelSecurity open(Optional<ClientTls> tls) {
        return new ChannelSecurity(
                tls.map(it -> TlsFiles.open(it.own(), it.authorities())).orElse(null));
    }

    /**
     * Fails if tokens would leave the machine in plain text.
     *
     * @param whose whose tokens they are, for example {@code the token of this worker}
     * @param isAllowed whether something else encrypts the connection
     * @param howToAllow what to do if something else does
     * @throws TlsException with what to do
     */
    public static void requireNoPlaintext(
            String target, Optional<ClientTls> tls, String whose, boolean isAllowed, String howToAllow) {
        if (tls.isEmpty() && !isAllowed && !SchedulerTargets.of(target).stream().allMatch(LoopbackTarget::is)) {
            throw new TlsException("The connection to " + target + " would carry " + whose
                    + " in plain text, where others on the network can read it. Set " + ClientTls.CA
                    + " to the file with the authority of the scheduler's certificate. If something else encrypts the"
                    + " connection, " + howToAllow + ".");
        }
    }

    /** Sets up a channel that is to be built. */
    public NettyChannelBuilder protect(NettyChannelBuilder channel) {
        return files == null ? channel.usePlaintext() : channel.sslContext(GrpcTls.client(files));
    }

    @Override
    public void close() {
        if (files != null) {
            files.close();
        }
    }
}
