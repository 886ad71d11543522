package dev.millrace.kafka;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.Map;
import javax.security.auth.Subject;
import org.apache.kafka.clients.ClientUtils;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.SaslConfigs;
import org.apache.kafka.common.network.ChannelBuilder;
import org.apache.kafka.common.network.ChannelMetadataRegistry;
import org.apache.kafka.common.network.ConnectionMode;
import org.apache.kafka.common.network.SaslChannelBuilder;
import org.apache.kafka.common.network.TransportLayer;
import org.apache.kafka.common.security.JaasContext;
import org.apache.kafka.common.security.auth.AuthenticateCallbackHandler;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.apache.kafka.common.security.authenticator.SaslClientAuthenticator;
import org.apache.kafka.common.utils.LogContext;
import org.apache.kafka.common.utils.Time;

/** Connections with SASL that bound what a broker may let a client do before it is authenticated. */
final class BoundedSasl extends SaslChannelBuilder {
    private BoundedSasl(SecurityProtocol protocol, String mechanism, JaasContext account, LogContext context) {
        super(
                ConnectionMode.CLIENT,
                Map.of(mechanism, account),
                protocol,
                null,
                false,
                mechanism,
                null,
                null,
                null,
                Time.SYSTEM,
                context,
                null);
    }

    /** Connections of a client, with SASL or without it. */
    static ChannelBuilder channels(AbstractConfig config, LogContext context) {
        SecurityProtocol protocol =
                SecurityProtocol.forName(config.getString(CommonClientConfigs.SECURITY_PROTOCOL_CONFIG));
        return switch (protocol) {
            case PLAINTEXT, SSL -> ClientUtils.createChannelBuilder(config, Time.SYSTEM, context);
            case SASL_PLAINTEXT, SASL_SSL -> {
                BoundedScram.install();
                Map<String, ?> settings = config.values();
                BoundedSasl channels = new BoundedSasl(
                        protocol,
                        config.getString(SaslConfigs.SASL_MECHANISM),
                        JaasContext.loadClientContext(settings),
                        context);
                channels.configure(settings);
                yield channels;
            }
        };
    }

    @Override
    protected TransportLayer buildTransportLayer(
            String id, SelectionKey key, SocketChannel socket, ChannelMetadataRegistry registry) throws IOException {
        return new BoundedTransport(super.buildTransportLayer(id, key, socket, registry));
    }

    @Override
    protected SaslClientAuthenticator buildClientAuthenticator(
            Map<String, ?> settings,
            AuthenticateCallbackHandler handler,
            String id,
            String host,
            String service,
            TransportLayer transport,
            Subject subject) {
        SaslClientAuthenticator authenticator =
                super.buildClientAuthenticator(settings, handler, id, host, service, transport, subject);
        ((BoundedTransport) transport).authenticates(authenticator::complete);
        return authenticator;
    }
}
