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
import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.SessionId;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The connected end of one worker's session: one stream. Thread-safe: everything that is sent goes through the monitor, because a gRPC
 * stream takes messages from one thread at a time. Sending to a stream that has ended does nothing.
 */
final class WorkerSession implements LeaseReceiver {
    private record Room(int slots, String pauseReason) {}

    private final SessionId id;
    private final String workerName;
    private final StreamObserver<OpenSessionResponse> stream;
    private final StreamPace pace;
    /** Leases that the worker said it held when it resumed: they are not given to it a second time. */
    private final Set<SessionStore.Held> heldOnResume;

    private final int lossesMax;

    private Map<String, Room> rooms;
    /** Most slots that each group has had: a worker that is about to stop has none. */
    private final Map<String, Integer> slotsMax;

    private static final CompletableFuture<Void> LOGS_STORED = CompletableFuture.completedFuture(null);

    private boolean begunNoted;
    private boolean ended;
    /** Of the jobs whose logs are being stored: completes when those are that came last. */
    private final Map<JobId, CompletableFuture<Void>> logsOnTheirWay = new ConcurrentHashMap<>();

    private volatile long heardNanos = System.nanoTime();

    WorkerSession(
            SessionId id,
            String workerName,
            List<SlotGroup> groups,
            StreamObserver<OpenSessionResponse> stream,
            StreamPace pace,
            Set<SessionStore.Held> heldOnResume,
            int lossesMax) {
        this.id = id;
        this.workerName = workerName;
        this.rooms = rooms(groups);
        this.slotsMax = new HashMap<>();
        noteSlots();
        this.lossesMax = lossesMax;
        this.stream = stream;
        this.pace = pace;
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

    /** Takes note of the worker's room; true where the slots of a group, or why it has none, are other ones than before. */
    synchronized boolean changesSlots(List<SlotGroup> groups) {
        Map<String, Room> before = rooms;
        rooms = rooms(groups);
        noteSlots();
        return !rooms.equals(before);
    }

    private void noteSlots() {
        rooms.forEach((group, room) -> slotsMax.merge(group, room.slots, Math::max));
    }

    private static Map<String, Room> rooms(List<SlotGroup> groups) {
        Map<String, Room> rooms = new HashMap<>();
        groups.forEach(group -> rooms.put(group.getName(), new Room(group.getSlots(), group.getPauseReason())));
        return rooms;
    }

    /** Most jobs that a group may have been running at once. */
    synchronized int slotsMax(String group) {
        return slotsMax.getOrDefault(group, 0);
    }

    /** It is heard: which jobs have begun is to be recorded anew when it no longer is. */
    synchronized void keptAlive() {
        begunNoted = false;
    }

    /** True the first time: which jobs had begun is recorded once, at the end of the stream or when it falls silent. */
    synchronized boolean beginsToNoteBegun() {
        boolean first = !begunNoted;
        begunNoted = true;
        return first;
    }

    /** Notes that logs of these jobs are being stored; those that came before are stored before them. */
    void logsAppended(Set<JobId> jobs, CompletableFuture<Void> stored) {
        jobs.forEach(job -> logsOnTheirWay.put(job, stored));
        var _ = stored.whenComplete((_, _) -> jobs.forEach(job -> logsOnTheirWay.remove(job, stored)));
    }

    /** Completes when all logs of the job that have come are stored; fails if they cannot be, and the worker will send them again. */
    CompletableFuture<Void> whenLogsStored(JobId job) {
        return logsOnTheirWay.getOrDefault(job, LOGS_STORED);
    }

    /** Notes a sign of life. */
    void heard() {
        heardNanos = System.nanoTime();
    }

    /** When the last sign of life came, on the clock of {@link System#nanoTime}; now, while this scheduler has no room to read one. */
    long heardNanos() {
        return pace.awaitsRoom() ? System.nanoTime() : heardNanos;
    }

    /** Shows the worker that this scheduler lives, which is too busy to answer it. */
    void showLifeWhileUnread() {
        if (pace.awaitsRoom()) {
            answer(Heartbeat.getDefaultInstance());
        }
    }

    @Override
    public void deliver(List<Delivery> deliveries) {
        Leases.Builder leases = Leases.newBuilder();
        for (Delivery delivery : deliveries) {
            SessionStore.Held held = new SessionStore.Held(
                    delivery.lease().job().id(), delivery.lease().token());
            if (!takeHeld(held)) {
                leases.addLeases(SessionProtos.lease(delivery, lossesMax));
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

    void answer(Heartbeat heartbeat) {
        send(OpenSessionResponse.newBuilder().setHeartbeat(heartbeat).build());
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
