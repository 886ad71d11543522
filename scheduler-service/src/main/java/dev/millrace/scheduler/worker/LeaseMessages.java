package dev.millrace.scheduler.worker;

import dev.millrace.proto.worker.v1.Lease;
import dev.millrace.proto.worker.v1.Leases;
import dev.millrace.scheduler.queue.LeaseReceiver;
import dev.millrace.scheduler.queue.LeasedJob;
import dev.millrace.scheduler.queue.core.QueuedJob;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.script.Script;
import dev.millrace.scheduler.script.ScriptProtos;
import dev.millrace.scheduler.script.Scripts;
import dev.millrace.scheduler.trace.Tracing;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What one stream says of the leases of its worker. The first lease of a script version carries the version if it is at
 * hand, so that the worker need not ask for it: that question takes as long as the start of the script's process.
 *
 * <p>Thread-safe.
 */
final class LeaseMessages {
    /** Versions that are noted as sent; when there are more, all are forgotten, and may be sent again. */
    private static final int SENT_MAX = 1_000;

    /** A message with leases gets no further version once its versions have this many bytes. */
    private static final int SCRIPT_BYTES_MAX = 256 << 10;

    private final LeaseReturn returns;
    private final Scripts scripts;
    private final int lossesMax;
    private final Tracing tracing;
    private final Set<Version> sent = ConcurrentHashMap.newKeySet();

    private record Version(Workspace workspace, String hash) {}

    /** @param lossesMax losses of workers after which a job fails */
    LeaseMessages(LeaseReturn returns, Scripts scripts, int lossesMax, Tracing tracing) {
        this.returns = returns;
        this.scripts = scripts;
        this.lossesMax = lossesMax;
        this.tracing = tracing;
    }

    /** Returns the lease to the queue if the worker may not have it. */
    boolean takesBack(WorkerSession session, LeasedJob lease) {
        return returns.takesBack(session, lease);
    }

    /**
     * A message with leases.
     *
     * @param mayCarry whether they may carry their scripts; versions for a worker that does not read would fill the memory
     */
    Leases of(List<LeaseReceiver.Delivery> deliveries, boolean mayCarry) {
        Leases.Builder message = Leases.newBuilder();
        int left = mayCarry ? SCRIPT_BYTES_MAX : 0;
        for (LeaseReceiver.Delivery delivery : deliveries) {
            Lease lease = SessionProtos.lease(delivery, lossesMax, tracing);
            Optional<Script> script = left > 0 && lease.getTargetCase() == Lease.TargetCase.SCRIPT_HASH
                    ? unsent(delivery.lease().job())
                    : Optional.empty();
            if (script.isPresent()) {
                lease = lease.toBuilder()
                        .setScript(ScriptProtos.withContent(script.get()))
                        .build();
                left -= lease.getScript().getSerializedSize();
            }
            message.addLeases(lease);
        }
        return message.build();
    }

    private Optional<Script> unsent(QueuedJob job) {
        if (sent.size() >= SENT_MAX) {
            sent.clear();
        }
        return sent.add(new Version(job.workspace(), job.target()))
                ? scripts.findAtHand(job.workspace(), job.target())
                : Optional.empty();
    }
}
