package dev.millrace.tls;

import io.grpc.NameResolver;
import io.grpc.NameResolverProvider;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.URI;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Resolves targets that list addresses. */
final class ListedAddressesProvider extends NameResolverProvider {
    private static final String SCHEME = "listed";
    private static final int PRIORITY = 5;

    /** The target of gRPC for a list such as {@code a:8401,b:8401}. */
    static String target(String list) {
        Arrays.stream(list.split(",", -1)).forEach(HostAndPort::parse);
        return SCHEME + ":///" + list.replace("[", "%5B").replace("]", "%5D");
    }

    @Override
    public @Nullable NameResolver newNameResolver(URI target, NameResolver.Args args) {
        if (!SCHEME.equals(target.getScheme())) {
            return null;
        }
        List<HostAndPort> addresses = Arrays.stream(
                        target.getPath().substring(1).split(",", -1))
                .map(HostAndPort::parse)
                .toList();
        return new ListedAddresses(addresses, args);
    }

    @Override
    public String getDefaultScheme() {
        return SCHEME;
    }

    @Override
    public Collection<Class<? extends SocketAddress>> getProducedSocketAddressTypes() {
        return Set.of(InetSocketAddress.class);
    }

    @Override
    protected boolean isAvailable() {
        return true;
    }

    @Override
    protected int priority() {
        return PRIORITY;
    }
}
