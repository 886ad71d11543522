package dev.millrace.tls;

import io.grpc.NameResolverRegistry;
import io.grpc.netty.NettyChannelBuilder;
import java.util.List;
import java.util.Map;

/**
 * Makes channels to a scheduler, or to several that share a database. A target is what gRPC understands, such as {@code
 * host:port} or {@code dns:///name:port}, or a list of {@code host:port} separated by commas.
 */
public final class SchedulerTargets {
    private static final String SEPARATOR = ",";

    /** Sends each call to the next scheduler that reports itself as serving (gRPC A17, client-side health checking). */
    private static final Map<String, ?> EACH_IN_TURN = Map.of(
            "loadBalancingConfig", List.of(Map.of("round_robin", Map.of())),
            "healthCheckConfig", Map.of("serviceName", ""));

    static {
        NameResolverRegistry.getDefaultRegistry().register(new ListedAddressesProvider());
    }

    private SchedulerTargets() {}

    /** The members of a list, or the target itself. */
    public static List<String> of(String target) {
        return List.of(target.split(SEPARATOR, -1));
    }

    /** A channel that stays with one scheduler, and goes to another if that one does not answer. */
    public static NettyChannelBuilder channel(String target) {
        return NettyChannelBuilder.forTarget(isList(target) ? ListedAddressesProvider.target(target) : target);
    }

    /**
     * A channel that spreads calls over the schedulers of a list, or over those of a name. A single address is used as it
     * is. Needs {@code grpc-services} for the health checks.
     */
    public static NettyChannelBuilder balancedChannel(String target) {
        NettyChannelBuilder channel = channel(target);
        return isList(target) || target.startsWith("dns:") ? channel.defaultServiceConfig(EACH_IN_TURN) : channel;
    }

    private static boolean isList(String target) {
        return target.contains(SEPARATOR);
    }
}
