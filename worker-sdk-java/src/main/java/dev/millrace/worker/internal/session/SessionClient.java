package dev.millrace.worker.internal.session;

import static java.util.Objects.requireNonNull;

import dev.millrace.proto.worker.v1.Demand;
import dev.millrace.proto.worker.v1.Goodbye;
import dev.millrace.proto.worker.v1.Heartbeat;
import dev.millrace.proto.worker.v1.HeldFolders;
import dev.millrace.proto.worker.v1.Hello;
import dev.millrace.proto.worker.v1.OpenSessionRequest;
import dev.millrace.proto.worker.v1.OpenSessionResponse;
import dev.millrace.proto.worker.v1.SlotGroup;
import dev.millrace.proto.worker.v1.Welcome;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the worker's session with the scheduler across any number of connections.
 *
 * <p>One thread, the loop, opens streams, sends everything and keeps the heartbeat. Messages are handled where they
 * arrive, on the connection's event loop, under this object's monitor and only while their stream is the current one.
 * So the list of held leases in a Hello is exact, and a late message of an old connection has no effect.
 */
public final class SessionClient implements AutoCloseable {
    static final Duration WELCOME_TIMEOUT = Duration.ofSeconds(10);
    static final Duration GOODBYE_TIMEOUT = Duration.ofSeconds(2);

    /** A connection on which nothing has arrived for this many heartbeats counts as dead. */
    static final int SILENT_HEARTBEATS_MAX = 2;

    private static final Logger logger = LoggerFactory.getLogger(SessionClient.class);

    private enum Phase {
        OPEN,
        LEAVING,
        CLOSED
    }

    private final ManagedChannel channel;
    private final WorkerIdentity identity;
    private final JobEngine engine;
    private final SharedFolders folders;
    private final Outbox outbox = new Outbox(this::sendNow);

    /**
     * Held while sending: a stream accepts messages from one thread at a time, and only the current stream takes from
     * the outbox.
     */
    private final ReentrantLock sending = new ReentrantLock();

    private final SessionLife life = new SessionLife(System::nanoTime);
    private final SessionJobs jobs;
    private final Backoff backoff = new Backoff(RandomGenerator.getDefault());
    private final Thread loop = new Thread(this::run, "millrace-session");
    private final CountDownLatch connected = new CountDownLatch(1);

    private volatile SessionLimits limits = SessionLimits.DEFAULTS;
    private volatile Phase phase = Phase.OPEN;
    private volatile boolean stopDemand;
    private final AtomicReference<List<SlotGroup>> room;

    private volatile SessionStream current = new SessionStream(this, false, List.of());
    private volatile @Nullable Runnable onKill;
    private String sessionId = "";
    private String resumeToken = "";

    public SessionClient(ManagedChannel channel, WorkerIdentity identity, JobEngine engine, SharedFolders folders) {
        this.channel = requireNonNull(channel, "channel");
        this.identity = requireNonNull(identity, "identity");
        this.engine = requireNonNull(engine, "engine");
        this.folders = requireNonNull(folders, "folders");
        this.jobs = new SessionJobs(engine, folders, outbox, life::isCertain);
        this.room = new AtomicReference<>(identity.slotGroups());
        engine.onRoomChange(this::changeRoom);
        loop.setDaemon(true);
    }

    public void start() {
        loop.start();
    }

    /** Waits for the first Welcome; false if the timeout expires. */
    public boolean awaitConnected(Duration timeout) throws InterruptedException {
        return connected.await(timeout.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Requests no further jobs from the scheduler. */
    public synchronized void stopDemand() {
        stopDemand = true;
        jobs.giveBackWaiting("The worker is stopping.");
        outbox.signal();
    }

    /** Merges the changed groups of one engine into those of all engines. */
    private void changeRoom(List<SlotGroup> changed) {
        room.updateAndGet(groups -> groups.stream()
                .map(group -> changed.stream()
                        .filter(other -> other.getName().equals(group.getName()))
                        .findFirst()
                        .orElse(group))
                .toList());
        outbox.signal();
    }

    /** Room for jobs to report to the scheduler. */
    private List<SlotGroup> demand() {
        if (stopDemand) {
            return noSlots("");
        }
        return jobs.isAlone() ? noSlots(AloneJob.REASON) : room.get();
    }

    /** Waits until every result and log is acknowledged; false if the timeout expires. */
    public boolean awaitSettled(Duration timeout) throws InterruptedException {
        return outbox.awaitSettled(timeout);
    }

    /** Lets owners of the installation kill this worker, which calls the action. Call it before {@link #start}. */
    public void obeyKill(Runnable action) {
        onKill = action;
    }

    private void killed() {
        Runnable action = onKill;
        if (action != null) {
            logger.warn("An owner of the installation kills this worker.");
            // It ends this session, whose monitor the thread of this message holds.
            new Thread(action, "millrace-kill").start();
        }
    }

    /** Ends the session as a crash of the worker would: without a goodbye, and without what is on its way. */
    public void abandon() {
        phase = Phase.CLOSED;
        channel.shutdownNow();
        close();
    }

    /** Says goodbye if there is a connection, and ends the session. */
    @Override
    public void close() {
        phase = phase == Phase.CLOSED ? Phase.CLOSED : Phase.LEAVING;
        outbox.close();
        outbox.signal();
        try {
            loop.join(GOODBYE_TIMEOUT.toMillis() * 2);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        phase = Phase.CLOSED;
        channel.shutdownNow();
    }

    void wake() {
        outbox.signal();
    }

    private void run() {
        try {
            while (phase == Phase.OPEN) {
                SessionStream stream = connect();
                serveGuarded(stream);
                life.interrupted();
                Status end = stream.end();
                if (phase != Phase.OPEN || end == null) {
                    break;
                }
                afterEnd(stream, end);
            }
        } catch (InterruptedException e) {
            logger.debug("The session loop was interrupted and ends.");
        }
    }

    private synchronized SessionStream connect() {
        List<SlotGroup> demand = demand();
        Hello.Builder hello = identity.hello(demand)
                .setWantsVersionChanges(engine.wantsVersionChanges())
                .setKillable(onKill != null);
        if (!sessionId.isEmpty()) {
            hello.setSessionId(sessionId).setResumeToken(resumeToken).addAllHeldLeases(jobs.leases());
        }
        SessionStream stream = new SessionStream(this, !sessionId.isEmpty(), demand);
        sending.lock();
        try {
            current = stream;
            stream.open(channel);
            stream.send(request().setHello(hello).build());
        } finally {
            sending.unlock();
        }
        return stream;
    }

    /** Serves the stream, and closes the connection on a bug, which must not end the loop and the worker. */
    private void serveGuarded(SessionStream stream) throws InterruptedException {
        try {
            serve(stream);
        } catch (RuntimeException e) {
            logger.error("The session failed; reconnecting.", e);
            stream.abort("The worker failed: " + e);
        }
    }

    /** Sends on this stream until it ends. */
    private void serve(SessionStream stream) throws InterruptedException {
        long openNanos = System.nanoTime();
        long heartbeatNanos = openNanos;
        long askNanos = openNanos;
        while (stream.end() == null && phase != Phase.CLOSED) {
            long now = System.nanoTime();
            long interval = limits.heartbeatInterval().toNanos();
            long wait = interval;
            if (!stream.isWelcomed()) {
                wait = openNanos + WELCOME_TIMEOUT.toNanos() - now;
                if (wait <= 0 || phase == Phase.LEAVING) {
                    stream.abort("The scheduler did not answer the Hello.");
                    break;
                }
            } else if (stream.mustReconnect()) {
                stream.abort("The scheduler asked to reconnect.");
                break;
            } else if (stream.silentNanos(now) > interval * SILENT_HEARTBEATS_MAX) {
                stream.abort("The scheduler has not answered " + SILENT_HEARTBEATS_MAX + " heartbeats.");
                break;
            } else {
                if (now - heartbeatNanos >= 0) {
                    send(stream, heartbeat());
                    heartbeatNanos = now + interval;
                }
                if (now - askNanos >= 0) {
                    askForFolders(stream);
                    askNanos = now + SharedFolders.ASK_INTERVAL.toNanos();
                }
                long silenceEnds = interval * SILENT_HEARTBEATS_MAX - stream.silentNanos(now) + 1;
                wait = Math.min(heartbeatNanos - now, silenceEnds);
                sendPending(stream);
                if (phase == Phase.LEAVING) {
                    leave(stream);
                    break;
                }
            }
            outbox.await(wait, stream.isWelcomed() && stream.isReady());
        }
    }

    private OpenSessionRequest.Builder heartbeat() {
        Heartbeat.Builder heartbeat = Heartbeat.newBuilder();
        engine.processes().ifPresent(heartbeat::setProcesses);
        return request().setHeartbeat(heartbeat.setSequence(life.send()));
    }

    private void askForFolders(SessionStream stream) {
        List<String> groups = folders.groups();
        if (!groups.isEmpty()) {
            send(stream, request().setHeldFolders(HeldFolders.newBuilder().addAllGroupIds(groups)));
        }
    }

    private void send(SessionStream stream, OpenSessionRequest.Builder message) {
        sending.lock();
        try {
            stream.send(message.build());
        } finally {
            sending.unlock();
        }
    }

    private void sendPending(SessionStream stream) {
        sending.lock();
        try {
            if (stream == current && stream.isWelcomed() && stream.isReady()) {
                // First, so that a job that a paused group returns does not come back to it.
                sendDemand(stream);
                outbox.take(System.nanoTime()).forEach(stream::send);
            }
        } finally {
            sending.unlock();
        }
    }

    private void sendDemand(SessionStream stream) {
        List<SlotGroup> demand = demand();
        if (!demand.equals(stream.demand())) {
            stream.send(request()
                    .setDemand(Demand.newBuilder().addAllSlotGroups(demand))
                    .build());
            stream.demand(demand);
        }
    }

    /** Sends from the thread that added a message, unless another thread is sending: the loop sends it then. */
    private void sendNow() {
        SessionStream stream = current;
        if (!stream.isWelcomed() || !stream.isReady() || !sending.tryLock()) {
            outbox.signal();
            return;
        }
        try {
            sendPending(stream);
        } catch (RuntimeException e) {
            logger.error("A message could not be sent; reconnecting.", e);
            stream.abort("The worker failed: " + e);
            outbox.signal();
        } finally {
            sending.unlock();
        }
    }

    private void leave(SessionStream stream) throws InterruptedException {
        sending.lock();
        try {
            stream.send(request().setGoodbye(Goodbye.getDefaultInstance()).build());
            stream.halfClose();
        } finally {
            sending.unlock();
        }
        long deadline = System.nanoTime() + GOODBYE_TIMEOUT.toNanos();
        while (stream.end() == null && deadline - System.nanoTime() > 0) {
            outbox.await(deadline - System.nanoTime(), false);
        }
    }

    /**
     * Decides how to continue after the end of a stream: immediately if the scheduler asked for it, else after a delay.
     */
    private void afterEnd(SessionStream stream, Status end) throws InterruptedException {
        if (end.getCode() == Status.Code.FAILED_PRECONDITION && hasSession()) {
            lose("The scheduler has ended the session: " + end.getDescription());
            return;
        }
        // A half-open connection must not be used again.
        channel.enterIdle();
        if (stream.mustReconnect()) {
            logger.info("The scheduler is stopping; reconnecting with all leases kept.");
        } else {
            logger.atWarn()
                    .addKeyValue("status", end.getCode())
                    .addKeyValue("reason", StatusText.of(end))
                    .log("The connection to the scheduler ended; reconnecting.");
        }
        long wakeNanos = System.nanoTime() + backoff.next().toNanos();
        while (phase == Phase.OPEN && wakeNanos - System.nanoTime() > 0) {
            outbox.await(wakeNanos - System.nanoTime(), false);
        }
    }

    private synchronized boolean hasSession() {
        return !sessionId.isEmpty();
    }

    private synchronized void lose(String reason) {
        sessionId = "";
        resumeToken = "";
        jobs.dropAll(reason);
        outbox.clear();
        folders.endAll();
    }

    /** Handles a message of the scheduler; ignored unless it came on the current stream. */
    synchronized void receive(SessionStream stream, OpenSessionResponse message) {
        if (stream != current || stream.end() != null) {
            return;
        }
        switch (message.getMessageCase()) {
            case WELCOME -> welcome(stream, message.getWelcome());
            case LEASES -> message.getLeases().getLeasesList().forEach(lease -> jobs.accept(lease, limits));
            case RESULT_ACKS -> jobs.acknowledge(message.getResultAcks().getAcksList());
            case LOG_ACK -> outbox.acknowledgeLogs(message.getLogAck().getBatch());
            case CANCEL_JOBS -> message.getCancelJobs().getJobsList().forEach(jobs::cancel);
            case VERSIONS_CHANGED -> engine.versionsChanged(true);
            case ENDED_FOLDERS -> folders.end(message.getEndedFolders().getGroupIdsList());
            case HEARTBEAT -> goOnIf(life.answered(message.getHeartbeat().getSequence()));
            case KILL -> killed();
            case RECONNECT -> {
                stream.reconnect();
                outbox.signal();
            }
            case MESSAGE_NOT_SET ->
                logger.debug("The scheduler sent a message that this worker does not know; ignored.");
        }
    }

    private void welcome(SessionStream stream, Welcome welcome) {
        if (stream.isResuming() && !welcome.getResumed()) {
            lose("The scheduler has opened a new session instead of the old one.");
        }
        limits = SessionLimits.of(welcome);
        sessionId = welcome.getSessionId();
        resumeToken = welcome.getResumeToken();
        if (welcome.getResumed()) {
            outbox.resend(welcome.getLogsAcknowledged());
            jobs.resendStarted();
        }
        logger.atInfo()
                .addKeyValue("session", sessionId)
                .addKeyValue("resumed", welcome.getResumed())
                .log("Connected to the scheduler.");
        backoff.reset();
        stream.welcome();
        engine.versionsChanged(welcome.getTellsVersionChanges());
        goOnIf(life.opened(stream.openNanos(), limits.sessionTtl()));
        connected.countDown();
        outbox.signal();
    }

    private void goOnIf(boolean livesAgain) {
        if (livesAgain) {
            engine.goOn();
        }
    }

    private List<SlotGroup> noSlots(String reason) {
        return identity.slotGroups().stream()
                .map(group -> group.toBuilder()
                        .setSlots(0)
                        .setPrefetch(0)
                        .setPauseReason(reason)
                        .build())
                .toList();
    }

    private static OpenSessionRequest.Builder request() {
        return OpenSessionRequest.newBuilder();
    }
}
