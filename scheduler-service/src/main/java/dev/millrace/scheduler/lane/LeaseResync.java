package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.queue.LeaseReceiver;
import dev.millrace.scheduler.queue.LeaseReceiver.Cancellation;
import dev.millrace.scheduler.queue.LeaseReceiver.Delivery;
import dev.millrace.scheduler.queue.LeasedJob;
import dev.millrace.scheduler.queue.Leases;
import dev.millrace.scheduler.queue.SlotRef;
import dev.millrace.scheduler.queue.core.LeaseKey;
import dev.millrace.scheduler.queue.core.SessionId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reconciles the leases in memory with the database: delivers leases that were committed but never sent, and revokes those
 * that have ended elsewhere.
 *
 * <p>Other lanes make and settle leases meanwhile. A lease that they make must not look as if it had ended, so memory is
 * read before the database. A lease that they settle must not look as if it had never been sent, so leases are added
 * through a view.
 */
final class LeaseResync {
    private static final Logger log = LoggerFactory.getLogger(LeaseResync.class);

    private static final String ENDED_MEANWHILE =
            "The lease has ended: the run was canceled, or the job was given to another worker.";

    private final LaneContext context;
    private final LaneStore store;

    LeaseResync(LaneContext context, LaneStore store) {
        this.context = context;
        this.store = store;
    }

    void run() throws DatabaseLost {
        List<LeaseReceiver> receivers = context.slots().receivers();
        Map<LeaseReceiver, List<LeasedJob>> believed = new LinkedHashMap<>();
        receivers.forEach(receiver -> believed.put(receiver, context.leases().of(receiver.session())));
        int sent = 0;
        try (Leases.View view = context.leases().view()) {
            Map<SessionId, List<Delivery>> real = leasesOf(receivers);
            for (LeaseReceiver receiver : receivers) {
                List<Delivery> held = real.getOrDefault(receiver.session(), List.of());
                sent += deliver(receiver, held, view);
                revoke(receiver, believed.getOrDefault(receiver, List.of()), held);
            }
        }
        if (sent > 0) {
            log.atInfo().addKeyValue("leases", sent).log("Leases were sent that no message had taken to their workers");
        }
    }

    private Map<SessionId, List<Delivery>> leasesOf(List<LeaseReceiver> receivers) throws DatabaseLost {
        List<SessionId> sessions =
                receivers.stream().map(LeaseReceiver::session).toList();
        return store.leasesOf(context.scheduler(), sessions).stream()
                .collect(Collectors.groupingBy(
                        delivery -> delivery.lease().slot().session()));
    }

    private int deliver(LeaseReceiver receiver, List<Delivery> held, Leases.View view) {
        List<Delivery> live = new ArrayList<>();
        for (Delivery delivery : held) {
            LeasedJob lease = withSlot(delivery.lease());
            // Before the lease is known, so that whoever ends it then releases a slot that is reserved.
            context.slots().reserve(lease.slot(), 1);
            Leases.Addition addition = view.add(lease);
            if (addition != Leases.Addition.NEW) {
                context.slots().release(lease.slot(), 1);
            }
            if (addition != Leases.Addition.ENDED) {
                live.add(new Delivery(lease, delivery.input()));
            }
        }
        return live.isEmpty() ? 0 : receiver.deliver(live, context.leases()::holds);
    }

    private void revoke(LeaseReceiver receiver, List<LeasedJob> believed, List<Delivery> held) {
        Set<LeaseKey> real =
                held.stream().map(delivery -> delivery.lease().key()).collect(Collectors.toSet());
        List<Cancellation> over = new ArrayList<>();
        for (LeasedJob lease : believed) {
            if (!real.contains(lease.key()) && context.leases().end(lease.key()).isPresent()) {
                context.slots().release(lease.slot(), 1);
                over.add(new Cancellation(lease.job().id(), lease.token(), ENDED_MEANWHILE));
            }
        }
        if (!over.isEmpty()) {
            receiver.cancel(over);
        }
    }

    private LeasedJob withSlot(LeasedJob lease) {
        SlotRef slot = context.slots()
                .slotOf(lease.slot().session(), lease.job().options().tag());
        return new LeasedJob(lease.job(), slot, lease.token());
    }
}
