package dev.millrace.scheduler.signal;

import dev.millrace.scheduler.audit.AuditedCall;
import dev.millrace.scheduler.lane.Lanes;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.signal.core.RunSignal;
import java.util.concurrent.CompletableFuture;

/** Sends signals and due waits to the lanes of their runs. */
public final class LaneWaits implements SignalSender {
    private final Lanes lanes;

    public LaneWaits(Lanes lanes) {
        this.lanes = lanes;
    }

    @Override
    public CompletableFuture<SignalResult> send(RunId run, RunSignal signal) {
        return lanes.ask(run, answer -> new ReceiveSignal(run, signal, AuditedCall.present(), answer));
    }

    /**
     * Ends a wait whose time has come. The future completes when the wait has ended, or turns out to have ended before.
     */
    public CompletableFuture<Void> end(DueWait wait) {
        return lanes.demand(wait.run(), done -> new EndDueWait(wait, done));
    }
}
