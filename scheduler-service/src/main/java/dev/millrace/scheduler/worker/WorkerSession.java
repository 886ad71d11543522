package dev.millrace.scheduler.worker;

import dev.millrace.proto.worker.v1.CancelJob;
import dev.millrace.proto.worker.v1.CancelJobs;
import dev.millrace.proto.worker.v1.Drain;
import dev.millrace.proto.worker.v1.EndedFolders;
import dev.millrace.proto.worker.v1.Heartbeat;
import dev.millrace.proto.worker.v1.Leases;
import dev.millrace.proto.worker.v1.LogAck;
import dev.millrace.proto.worker.v1.OpenSessionResponse;
import dev.millrace.proto.worker.v1.ResultAcks;
import dev.millrace.proto.worker.v1.SlotGroup;
import dev.millrace.proto.worker.v1.Welcome;
import dev.millrace.scheduler.queue.LeaseReceiver;
import dev.millrace.scheduler.queue.core.SessionId;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * The connected end of one worker's session: one stream. Thread-safe: everything that is sent goes through the monitor, because a gRPC
 * stream takes messages from one thread at a time. Sending to a stream that has ended does nothing.
 */
final class WorkerSession implements LeaseReceiver {
    private final SessionId id;
    private final String workerName;
    private final StreamObserver<OpenSessionResponse> stream;
    /** Leases that the worker said it held when it resumed: they are not given to it a second time. */
    private final Set<SessionStore.Held> heldOnResume;

    private Map<String, Integer> slots;
    private boolean ended;
    private volatile long heardNanos = System.nanoTime();

    WorkerSession(
            SessionId id,
            String workerName,
            List<SlotGroup> groups,
            StreamObserver<OpenSessionResponse> stream,
            Set<SessionStore.Held> heldOnResume) {
        this.id = id;
        this.workerName = workerName;
        this.slots = slots(groups);
        this.stream = stream;
        this.heldOnResume = new HashSet<>(heldOnResume);
    }

    @Override
    public SessionId session() {
        return id;
    }

    @Override
    public String workerName() {
        return workerName;
    }

    /** Takes note of the worker's room; true where the slots of a group are other ones than before. */
    synchronized boolean changesSlots(List<SlotGroup> groups) {
        Map<String, Integer> before = slots;
        slots = slots(groups);
        return !slots.equals(before);
    }

    private static Map<String, Integer> slots(List<SlotGroup> groups) {
        Map<String, Integer> slots = new HashMap<>();
        groups.forEach(group -> slots.put(group.getName(), group.getSlots()));
        return slots;
    }

    /** Notes a sign of life. */
    void heard() {
        heardNanos = System.nanoTime();
    }

    /** When the last sign of life came, on the clock of {@link System#nanoTime}. */
    long heardNanos() {
        return heardNanos;
    }

    @Override
    public void deliver(List<Delivery> deliveries) {
        Leases.Builder leases = Leases.newBuilder();
        for (Delivery delivery : deliveries) {
            SessionStore.Held held = new SessionStore.Held(
                    delivery.lease().job().id(), delivery.lease().token());
            if (!takeHeld(held)) {
                leases.addLeases(SessionProtos.lease(delivery));
            }
        }
        if (leases.getLeasesCount() > 0) {
            send(OpenSessionResponse.newBuilder().setLeases(leases).build());
        }
    }

    private synchronized boolean takeHeld(SessionStore.Held held) {
        return heldOnResume.remove(held);
    }

    @Override
    public void acknowledge(List<ResultAck> acks) {
        ResultAcks.Builder answers = ResultAcks.newBuilder();
        acks.forEach(ack -> answers.addAcks(SessionProtos.ack(ack)));
        send(OpenSessionResponse.newBuilder().setResultAcks(answers).build());
    }

    @Override
    public void cancel(List<Cancellation> cancellations) {
        CancelJobs.Builder jobs = CancelJobs.newBuilder();
        cancellations.forEach(cancellation -> jobs.addJobs(CancelJob.newBuilder()
                .setJobId(cancellation.job().toString())
                .setLeaseToken(cancellation.token().value())
                .setReason(cancellation.reason())));
        send(OpenSessionResponse.newBuilder().setCancelJobs(jobs).build());
    }

    @Override
    public void endFolders(List<UUID> groups) {
        EndedFolders.Builder folders = EndedFolders.newBuilder();
        groups.forEach(group -> folders.addGroupIds(group.toString()));
        send(OpenSessionResponse.newBuilder().setEndedFolders(folders).build());
    }

    void welcome(Welcome welcome) {
        send(OpenSessionResponse.newBuilder().setWelcome(welcome).build());
    }

    void logsStored(long batch) {
        send(OpenSessionResponse.newBuilder()
                .setLogAck(LogAck.newBuilder().setBatch(batch))
                .build());
    }

    void answerHeartbeat() {
        send(OpenSessionResponse.newBuilder()
                .setHeartbeat(Heartbeat.getDefaultInstance())
                .build());
    }

    void drain() {
        send(OpenSessionResponse.newBuilder()
                .setDrain(Drain.getDefaultInstance())
                .build());
    }

    /** Ends the stream. */
    synchronized void end(Status status) {
        if (ended) {
            return;
        }
        ended = true;
        if (status.isOk()) {
            stream.onCompleted();
        } else {
            stream.onError(status.asRuntimeException());
        }
    }

    /** The stream was ended by the other side. */
    synchronized void lost() {
        ended = true;
    }

    private synchronized void send(OpenSessionResponse message) {
        if (!ended) {
            stream.onNext(message);
        }
    }
}
