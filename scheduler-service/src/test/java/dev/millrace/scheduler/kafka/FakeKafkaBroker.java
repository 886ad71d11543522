package dev.millrace.scheduler.kafka;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.message.ApiVersionsResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Message;
import org.apache.kafka.common.protocol.MessageUtil;
import org.apache.kafka.common.requests.RequestHeader;

/** A broker that answers as a test says. */
final class FakeKafkaBroker implements AutoCloseable {
    private final ServerSocket server;
    private final Answers answers;

    /** Answers to requests. */
    interface Answers {
        /** The answer to a request; empty to answer as a broker does that knows all requests and does nothing. */
        Optional<Message> of(RequestHeader request, ByteBuffer body);

        /** The length that an answer claims to have. */
        default int claimed(int bytes) {
            return bytes;
        }
    }

    FakeKafkaBroker(Answers answers) throws IOException {
        this.server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        this.answers = answers;
        Thread.ofVirtual().start(this::accept);
    }

    /** Settings of a consumer without SASL. */
    Map<String, Object> settings() {
        return Map.of(
                ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                server.getInetAddress().getHostAddress() + ":" + server.getLocalPort(),
                ConsumerConfig.GROUP_ID_CONFIG,
                "readers");
    }

    private void accept() {
        try {
            while (true) {
                Socket client = server.accept();
                Thread.ofVirtual().start(() -> serve(client));
            }
        } catch (IOException closed) {
            // The test is over.
        }
    }

    private void serve(Socket client) {
        try (client;
                DataInputStream in = new DataInputStream(client.getInputStream());
                DataOutputStream out = new DataOutputStream(client.getOutputStream())) {
            while (true) {
                ByteBuffer bytes = ByteBuffer.wrap(in.readNBytes(in.readInt()));
                RequestHeader request = RequestHeader.parse(bytes);
                ByteBuffer answer = bytes(request, bytes);
                out.writeInt(answers.claimed(answer.remaining()));
                out.write(answer.array(), answer.arrayOffset() + answer.position(), answer.remaining());
                out.flush();
            }
        } catch (IOException left) {
            // The client has closed the connection.
        }
    }

    private ByteBuffer bytes(RequestHeader request, ByteBuffer body) {
        short version = request.apiVersion();
        Message answer = answers.of(request, body).orElseGet(FakeKafkaBroker::versions);
        ByteBuffer data = MessageUtil.toByteBufferAccessor(answer, version).buffer();
        boolean hasFields = request.apiKey().responseHeaderVersion(version) > 0;
        ByteBuffer all = ByteBuffer.allocate(Integer.BYTES + (hasFields ? 1 : 0) + data.remaining());
        all.putInt(request.correlationId());
        if (hasFields) {
            all.put((byte) 0);
        }
        return all.put(data).flip();
    }

    /** All requests in all versions. */
    static ApiVersionsResponseData versions() {
        ApiVersionsResponseData data = new ApiVersionsResponseData();
        Stream.of(ApiKeys.values())
                .forEach(api -> data.apiKeys()
                        .add(new ApiVersionsResponseData.ApiVersion()
                                .setApiKey(api.id)
                                .setMinVersion(api.oldestVersion())
                                .setMaxVersion(api.latestVersion())));
        return data;
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
