package dev.millrace.scheduler.worker;

import dev.millrace.proto.worker.v1.CancelJob;
import dev.millrace.proto.worker.v1.CancelJobs;
import dev.millrace.proto.worker.v1.EndedFolders;
import dev.millrace.proto.worker.v1.Heartbeat;
import dev.millrace.proto.worker.v1.Kill;
import dev.millrace.proto.worker.v1.LogAck;
import dev.millrace.proto.worker.v1.OpenSessionResponse;
import dev.millrace.proto.worker.v1.ProcessReport;
import dev.millrace.proto.worker.v1.Reconnect;
import dev.millrace.proto.worker.v1.ResultAcks;
import dev.millrace.proto.worker.v1.SlotGroup;
import dev.millrace.proto.worker.v1.VersionsChanged;
import dev.millrace.proto.worker.v1.Welcome;
import dev.millrace.scheduler.access.WorkerScope;
import dev.millrace.scheduler.queue.LeaseReceiver;
import dev.millrace.scheduler.queue.SlotTime;
import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.LeaseKey;
import dev.millrace.scheduler.queue.core.SessionId;
import dev.millrace.scheduler.queue.core.ToldLeases;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * The connected end of a worker's session, which is one stream. Thread-safe: a gRPC stream accepts messages from only
 * one thread at a time, so sending requires the monitor. Sending to a stream that has ended does nothing.
 */
final class WorkerSession implements LeaseReceiver {
    private record Room(int slots, String pauseReason) {}

    private final SessionId id;
    private final String workerName;
    private final StreamObserver<OpenSessionResponse> stream;
    private final StreamPace pace;
    private final ToldLeases told;

    private final WorkerScope scope;
    private final LeaseMessages messages;

    private List<SlotGroup> groups;
    private Map<String, Room> rooms;
    /** Maximum number of slots that each group has had. A worker that is about to stop has none. */
    private final Map<String, Integer> slotsMax;

    private static final CompletableFuture<Void> LOGS_STORED = CompletableFuture.completedFuture(null);

    private boolean begunNoted;
    private boolean ended;
    /** For each job whose logs are being stored: completes when the latest of them are stored. */
    private final Map<JobId, CompletableFuture<Void>> logsOnTheirWay = new ConcurrentHashMap<>();

    private ProcessReport processes = ProcessReport.getDefaultInstance();
    private boolean isReportStored = true;

    private final OccupancyMeter occupancy = new OccupancyMeter(System.nanoTime());

    private volatile boolean wantsVersionChanges;
    private volatile long heardNanos = System.nanoTime();

    WorkerSession(
            SessionId id,
            String workerName,
            List<SlotGroup> groups,
            StreamObserver<OpenSessionResponse> stream,
            StreamPace pace,
            Set<LeaseKey> heldOnResume,
            WorkerScope scope,
            LeaseMessages messages) {
        this.id = id;
        this.workerName = workerName;
        this.scope = scope;
        this.messages = messages;
        this.groups = groups;
        this.rooms = rooms(groups);
        this.slotsMax = new HashMap<>();
        noteSlots();
        this.stream = stream;
        this.pace = pace;
        this.told = new ToldLeases(heldOnResume);
    }

    @Override
    public SessionId session() {
        return id;
    }

    @Override
    public String workerName() {
        return workerName;
    }

    /** Updates the slot groups. Returns whether the slots of a group, or the reason why it is paused, have changed. */
    synchronized boolean changesSlots(List<SlotGroup> groups) {
        Map<String, Room> before = rooms;
        this.groups = groups;
        rooms = rooms(groups);
        noteSlots();
        return !rooms.equals(before);
    }

    /** The slot groups as the worker has last announced them. */
    synchronized List<SlotGroup> groups() {
        return groups;
    }

    /** The jobs that the worker may take. */
    WorkerScope scope() {
        return scope;
    }

    private void noteSlots() {
        rooms.forEach((group, room) -> slotsMax.merge(group, room.slots, Math::max));
    }

    private static Map<String, Room> rooms(List<SlotGroup> groups) {
        Map<String, Room> rooms = new HashMap<>();
        groups.forEach(group -> rooms.put(group.getName(), new Room(group.getSlots(), group.getPauseReason())));
        return rooms;
    }

    /** Returns the maximum number of jobs that a group may have been running at the same time. */
    synchronized int slotsMax(String group) {
        return slotsMax.getOrDefault(group, 0);
    }

    /** Records that the worker is alive, so that the next silence is recorded again. */
    synchronized void keptAlive() {
        begunNoted = false;
    }

    /** Returns true at the first call since the last sign of life: begun jobs are recorded only once per silence. */
    synchronized boolean beginsToNoteBegun() {
        boolean first = !begunNoted;
        begunNoted = true;
        return first;
    }

    /** Records that logs of these jobs are being stored. Logs that arrived earlier are stored first. */
    void logsAppended(Set<JobId> jobs, CompletableFuture<Void> stored) {
        jobs.forEach(job -> logsOnTheirWay.put(job, stored));
        var _ = stored.whenComplete((_, _) -> jobs.forEach(job -> logsOnTheirWay.remove(job, stored)));
    }

    /**
     * Completes when all received logs of the job are stored. Fails if they cannot be stored; the worker then sends
     * them again.
     */
    CompletableFuture<Void> whenLogsStored(JobId job) {
        return logsOnTheirWay.getOrDefault(job, LOGS_STORED);
    }

    /** How much of the slots was used lately, given how long they have had jobs since the worker connected. */
    synchronized Occupancy occupancy(SlotTime time) {
        return occupancy.sample(System.nanoTime(), time);
    }

    /** Records a sign of life. */
    void heard() {
        heardNanos = System.nanoTime();
    }

    /**
     * Time of the last sign of life, on the clock of {@link System#nanoTime}. This is the current time while this
     * scheduler lacks the memory to read one.
     */
    long heardNanos() {
        return pace.awaitsRoom() ? System.nanoTime() : heardNanos;
    }

    /** Sends a heartbeat to a worker whose messages remain unread, to show that this scheduler is alive. */
    void showLifeWhileUnread() {
        if (pace.awaitsRoom()) {
            answer(Heartbeat.getDefaultInstance());
        }
    }

    @Override
    public int deliver(List<Delivery> deliveries, Predicate<LeaseKey> isHeld) {
        // A job that the worker has may be running, so that it must not return to the queue.
        List<Delivery> allowed = deliveries.stream()
                .filter(delivery -> !knows(delivery.lease().key()) && !messages.takesBack(this, delivery.lease()))
                .toList();
        synchronized (this) {
            if (ended) {
                return 0;
            }
            List<Delivery> unsent = allowed.stream()
                    .filter(delivery -> told.mustSend(
                            delivery.lease().key(), isHeld.test(delivery.lease().key())))
                    .toList();
            if (!unsent.isEmpty()) {
                send(OpenSessionResponse.newBuilder()
                        .setLeases(messages.of(unsent, pace.isRead()))
                        .build());
            }
            return unsent.size();
        }
    }

    @Override
    public synchronized boolean knows(LeaseKey lease) {
        return told.knows(lease);
    }

    @Override
    public void acknowledge(List<ResultAck> acks) {
        ResultAcks.Builder answers = ResultAcks.newBuilder();
        acks.forEach(ack -> answers.addAcks(SessionProtos.ack(ack)));
        OpenSessionResponse message =
                OpenSessionResponse.newBuilder().setResultAcks(answers).build();
        synchronized (this) {
            acks.forEach(ack -> told.ended(new LeaseKey(ack.job(), ack.token())));
            send(message);
        }
    }

    @Override
    public void cancel(List<Cancellation> cancellations) {
        CancelJobs.Builder jobs = CancelJobs.newBuilder();
        cancellations.forEach(cancellation -> jobs.addJobs(CancelJob.newBuilder()
                .setJobId(cancellation.job().toString())
                .setLeaseToken(cancellation.token().value())
                .setReason(cancellation.reason())));
        OpenSessionResponse message =
                OpenSessionResponse.newBuilder().setCancelJobs(jobs).build();
        synchronized (this) {
            cancellations.forEach(cancellation -> told.ended(new LeaseKey(cancellation.job(), cancellation.token())));
            send(message);
        }
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
        send(OpenSessionResponse.newBuilder()
                .setHeartbeat(Heartbeat.newBuilder().setSequence(heartbeat.getSequence()))
                .build());
    }

    /** Notes what the worker has reported about its processes. */
    synchronized void report(ProcessReport report) {
        isReportStored &= report.equals(processes);
        processes = report;
    }

    /** The last report; empty before the first. */
    synchronized ProcessReport reported() {
        return processes;
    }

    /** The last report if it has changed since the last call. */
    synchronized Optional<ProcessReport> takeReport() {
        Optional<ProcessReport> changed = isReportStored ? Optional.empty() : Optional.of(processes);
        isReportStored = true;
        return changed;
    }

    /** Whether the worker wants to know when current versions may have changed. */
    void wantVersionChanges(boolean wants) {
        wantsVersionChanges = wants;
    }

    void versionsChanged() {
        if (wantsVersionChanges) {
            send(OpenSessionResponse.newBuilder()
                    .setVersionsChanged(VersionsChanged.getDefaultInstance())
                    .build());
        }
    }

    /** Tells the worker to end at once. */
    void kill() {
        send(OpenSessionResponse.newBuilder().setKill(Kill.getDefaultInstance()).build());
    }

    /** Asks the worker to reconnect, since this scheduler is about to stop. */
    void reconnect() {
        send(OpenSessionResponse.newBuilder()
                .setReconnect(Reconnect.getDefaultInstance())
                .build());
    }

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

    /** Records that the other side has ended the stream. */
    synchronized void lost() {
        ended = true;
    }

    private synchronized void send(OpenSessionResponse message) {
        if (!ended) {
            stream.onNext(message);
        }
    }
}
