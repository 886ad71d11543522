package dev.millrace.tls;

import static java.util.Objects.requireNonNull;

import io.grpc.Attributes;
import io.grpc.EquivalentAddressGroup;
import io.grpc.NameResolver;
import io.grpc.Status;
import io.grpc.StatusOr;
import io.grpc.SynchronizationContext;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Looks up the hosts of a list. Their order is random but the same for the life of a channel, so that channels spread
 * over the list. Driven by gRPC's synchronization context; look-ups run on its executor for blocking work.
 */
final class ListedAddresses extends NameResolver {
    private final List<HostAndPort> addresses;
    private final SynchronizationContext context;
    private final Executor lookUps;
    private @Nullable Listener2 listener;
    private boolean isLookingUp;

    ListedAddresses(List<HostAndPort> addresses, Args args) {
        List<HostAndPort> shuffled = new ArrayList<>(addresses);
        Collections.shuffle(shuffled);
        this.addresses = List.copyOf(shuffled);
        this.context = args.getSynchronizationContext();
        this.lookUps = requireNonNull(args.getOffloadExecutor(), "gRPC gives channels an executor for look-ups");
    }

    @Override
    public String getServiceAuthority() {
        return addresses.get(0).authority();
    }

    @Override
    public void start(Listener2 results) {
        listener = results;
        lookUp(results);
    }

    @Override
    public void refresh() {
        if (listener != null) {
            lookUp(listener);
        }
    }

    private void lookUp(Listener2 results) {
        if (isLookingUp) {
            return;
        }
        isLookingUp = true;
        lookUps.execute(() -> {
            ResolutionResult result = result();
            context.execute(() -> {
                isLookingUp = false;
                if (listener != null) {
                    results.onResult2(result);
                }
            });
        });
    }

    /** The addresses of all hosts that are found; those of others are left out until the next look-up. */
    private ResolutionResult result() {
        List<EquivalentAddressGroup> found = new ArrayList<>();
        List<String> unknown = new ArrayList<>();
        for (HostAndPort address : addresses) {
            try {
                List<SocketAddress> sockets = Arrays.stream(InetAddress.getAllByName(address.host()))
                        .<SocketAddress>map(ip -> new InetSocketAddress(ip, address.port()))
                        .toList();
                // Each server shows a certificate for its own name.
                Attributes own = Attributes.newBuilder()
                        .set(EquivalentAddressGroup.ATTR_AUTHORITY_OVERRIDE, address.authority())
                        .build();
                found.add(new EquivalentAddressGroup(sockets, own));
            } catch (UnknownHostException absent) {
                unknown.add(address.host());
            }
        }
        ResolutionResult.Builder result = ResolutionResult.newBuilder();
        return (found.isEmpty()
                        ? result.setAddressesOrError(StatusOr.fromStatus(Status.UNAVAILABLE.withDescription(
                                "No host is known of " + String.join(", ", unknown))))
                        : result.setAddressesOrError(StatusOr.fromValue(found)))
                .build();
    }

    @Override
    public void shutdown() {
        listener = null;
    }
}
