package dev.millrace.handler.kafka;

import dev.millrace.handler.http.HttpHandlerOptions;
import dev.millrace.tls.AddressRule;
import dev.millrace.worker.JobException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.kafka.clients.HostResolver;

/**
 * Resolves the hosts of brokers that a message names, or that those brokers name, and accepts only public addresses.
 * Connections go to exactly the addresses that were checked.
 */
final class KafkaAddresses implements HostResolver {
    /** That of requests over HTTP, since the same setting allows other addresses. */
    private static final AddressRule RULE = HttpHandlerOptions.PUBLIC_ONLY.addressRule();

    private final HostResolver names;

    KafkaAddresses(HostResolver names) {
        this.names = names;
    }

    @Override
    public InetAddress[] resolve(String host) throws UnknownHostException {
        return RULE.resolve(host, names::resolve);
    }

    /**
     * Fails if no server has a public address and at least one has another address. Unknown hosts are left to the
     * producer.
     */
    void check(String bootstrapServers) {
        List<String> refused = new ArrayList<>();
        for (String server : KafkaMessage.list(bootstrapServers)) {
            try {
                InetAddress[] all = names.resolve(server.substring(0, server.lastIndexOf(':')));
                if (Stream.of(all).anyMatch(RULE::allows)) {
                    return;
                }
                Stream.of(all)
                        .map(address -> server + " is at " + address.getHostAddress())
                        .forEach(refused::add);
            } catch (UnknownHostException unknown) {
                // The producer reports it after its timeout, since the name may become known in the meantime.
            }
        }
        if (!refused.isEmpty()) {
            throw new JobException(
                    "AddressNotAllowed",
                    "No server of the message has a public address: " + String.join(", ", refused)
                            + ". The operator of the worker can name such servers in --kafka-config (bootstrap.servers), or allow"
                            + " all such addresses with --http-allow-private.",
                    false);
        }
    }
}
