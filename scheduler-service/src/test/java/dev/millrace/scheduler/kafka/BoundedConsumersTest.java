package dev.millrace.scheduler.kafka;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.millrace.kafka.BoundedNetwork;
import dev.millrace.kafka.ResponseLimit;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.consumer.BoundedConsumers;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

/** Tests of consumers with a network client of our own. */
class BoundedConsumersTest {
    private static final Duration PATIENCE = Duration.ofMillis(300);

    @Test
    void tellThatBrokersAreAway() throws IOException {
        InetAddress here = InetAddress.getLoopbackAddress();
        int port;
        try (ServerSocket gone = new ServerSocket(0, 1, here)) {
            port = gone.getLocalPort();
        }
        Map<String, Object> settings = Map.of(
                ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                here.getHostAddress() + ":" + port,
                ConsumerConfig.GROUP_ID_CONFIG,
                "readers");
        BoundedNetwork network = new BoundedNetwork(new ResponseLimit(1 << 20), InetAddress::getAllByName);

        try (var consumer = BoundedConsumers.create(settings, network).consumer()) {
            assertThatExceptionOfType(TimeoutException.class)
                    .isThrownBy(() -> consumer.partitionsFor("orders", PATIENCE));
        }
    }
}
