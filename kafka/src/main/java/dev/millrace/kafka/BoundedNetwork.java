package dev.millrace.kafka;

import org.apache.kafka.clients.ApiVersions;
import org.apache.kafka.clients.ClientRequest;
import org.apache.kafka.clients.ClientResponse;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.HostResolver;
import org.apache.kafka.clients.Metadata;
import org.apache.kafka.clients.MetadataRecoveryStrategy;
import org.apache.kafka.clients.NetworkClient;
import org.apache.kafka.clients.RequestCompletionHandler;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.FetchResponse;
import org.apache.kafka.common.utils.LogContext;
import org.apache.kafka.common.utils.Time;

/**
 * The part of Kafka's clients that connects to brokers, with a limit on what it reads and a say in where it connects. Responses are
 * looked at before they become objects, and batches before a consumer expands them.
 *
 * @param limit of responses, for this client alone
 * @param names resolver of the host of each connection, also for brokers that other brokers have named
 */
public record BoundedNetwork(ResponseLimit limit, HostResolver names) {
    /**
     * Creates a network client.
     *
     * @param kind of the client, for its metrics: {@code consumer} or {@code producer}
     * @param inFlightMax maximum number of unanswered requests of a connection
     */
    public NetworkClient client(
            AbstractConfig config,
            String kind,
            int inFlightMax,
            LogContext context,
            Metrics metrics,
            Metadata metadata,
            ApiVersions versions) {
        String clientId = config.getString(CommonClientConfigs.CLIENT_ID_CONFIG);
        CheckedResponses selector = new CheckedResponses(
                config.getLong(CommonClientConfigs.CONNECTIONS_MAX_IDLE_MS_CONFIG),
                metrics,
                kind,
                BoundedSasl.channels(config, context),
                limit,
                context,
                versions);
        return new NetworkClient(
                null,
                metadata,
                selector,
                clientId,
                inFlightMax,
                config.getLong(CommonClientConfigs.RECONNECT_BACKOFF_MS_CONFIG),
                config.getLong(CommonClientConfigs.RECONNECT_BACKOFF_MAX_MS_CONFIG),
                config.getInt(CommonClientConfigs.SEND_BUFFER_CONFIG),
                config.getInt(CommonClientConfigs.RECEIVE_BUFFER_CONFIG),
                config.getInt(CommonClientConfigs.REQUEST_TIMEOUT_MS_CONFIG),
                config.getLong(CommonClientConfigs.SOCKET_CONNECTION_SETUP_TIMEOUT_MS_CONFIG),
                config.getLong(CommonClientConfigs.SOCKET_CONNECTION_SETUP_TIMEOUT_MAX_MS_CONFIG),
                Time.SYSTEM,
                true,
                versions,
                null,
                context,
                names,
                null,
                config.getLong(CommonClientConfigs.METADATA_RECOVERY_REBOOTSTRAP_TRIGGER_MS_CONFIG),
                MetadataRecoveryStrategy.forName(
                        config.getString(CommonClientConfigs.METADATA_RECOVERY_STRATEGY_CONFIG))) {
            // Makes all requests, also those of the client itself.
            @Override
            public ClientRequest newClientRequest(
                    String broker,
                    AbstractRequest.Builder<?> builder,
                    long created,
                    boolean isAnswered,
                    int timeoutMillis,
                    RequestCompletionHandler handler) {
                ClientRequest request =
                        super.newClientRequest(broker, builder, created, isAnswered, timeoutMillis, handler);
                selector.expect(request.correlationId(), builder);
                return request;
            }

            // Answers pass here. The consumer keeps its own request until it is sent, and knows its handler.
            @Override
            public void send(ClientRequest request, long now) {
                super.send(withHandler(request, clientId, response -> answer(this, request, response)), now);
            }
        };
    }

    private static ClientRequest withHandler(ClientRequest request, String clientId, RequestCompletionHandler handler) {
        return new ClientRequest(
                request.destination(),
                request.requestBuilder(),
                request.correlationId(),
                clientId,
                request.createdTimeMs(),
                request.expectResponse(),
                request.requestTimeoutMs(),
                handler);
    }

    private void answer(NetworkClient client, ClientRequest request, ClientResponse response) {
        boolean isAdmitted = admits(response);
        if (!isAdmitted) {
            client.disconnect(request.destination());
        }
        RequestCompletionHandler handler = request.callback();
        if (handler != null) {
            handler.onComplete(isAdmitted ? response : lost(response, handler));
        }
    }

    private boolean admits(ClientResponse response) {
        return !(response.responseBody() instanceof FetchResponse fetched) || FetchedBatches.admits(fetched, limit);
    }

    /** A response as if its connection had ended before it. */
    private static ClientResponse lost(ClientResponse response, RequestCompletionHandler done) {
        return new ClientResponse(
                response.requestHeader(),
                done,
                response.destination(),
                response.receivedTimeMs() - response.requestLatencyMs(),
                response.receivedTimeMs(),
                true,
                null,
                null,
                null);
    }
}
