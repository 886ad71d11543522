package dev.millrace.scheduler.eventhandler;

import dev.millrace.scheduler.access.Access;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.runtime.EventBus;
import dev.millrace.scheduler.runtime.Loop;
import dev.millrace.scheduler.runtime.WallClock;
import dev.millrace.scheduler.trigger.ClaimTurns;
import dev.millrace.scheduler.trigger.TriggerRights;
import dev.millrace.scheduler.trigger.WorkspaceLines;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Works off the messages that handlers have got. First it is decided what a handler does with a message, and stored; then it
 * is done. A scheduler that dies in between leaves a claim that expires, and any scheduler goes on: what was decided stays,
 * and what was done is not done again, because each action has a request id.
 */
final class HandlerRunner implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(HandlerRunner.class);

    /** Maximum number of runs that follow from one by handlers, one after another. */
    static final int DEPTH_MAX = 8;
    /** Maximum number of actions that follow from one run by handlers. */
    static final int CHAIN_MAX = 1_000;
    /** How long other schedulers leave a claimed message alone. */
    private static final Duration CLAIM_TIME = Duration.ofSeconds(15);
    /** How often to look for messages that schedulers have left behind. */
    private static final Duration HEALING_INTERVAL = Duration.ofSeconds(5);
    /**
     * Number of workspaces whose messages a scheduler works on at a time. It holds all that is done with each message.
     */
    private static final int WORKSPACES_MAX = 8;
    /** What it works on of each workspace at a time. */
    private static final ClaimTurns.Share SHARE = new ClaimTurns.Share(8, 512 << 10);
    /** How long it is tried again, if the installation is busy or faulty. Shorter than the time for which request ids are kept. */
    private static final Duration PATIENCE = Duration.ofHours(1);
    /** Reasons for which an action may be done later. */
    private static final Set<ErrorCode> TEMPORARY = EnumSet.of(
            ErrorCode.OVERLOADED,
            ErrorCode.QUOTA_EXCEEDED,
            ErrorCode.DATABASE_UNAVAILABLE,
            ErrorCode.SHUTTING_DOWN,
            ErrorCode.INTERNAL);

    private final ExecutionStore store;
    private final EventHandlerStore handlers;
    private final TriggerRights rights;
    private final Planner planner;
    private final Performer performer;
    private final HandlerMetrics metrics;
    private final WorkspaceLines<ClaimedExecution> lines = new WorkspaceLines<>("event-handlers", this::work);
    private final Loop loop = Loop.of("event-handlers", this::runOnce);

    HandlerRunner(
            Database database,
            EventBus bus,
            TriggerRights rights,
            Planner planner,
            Performer performer,
            HandlerMetrics metrics) {
        this.store = new ExecutionStore(database);
        this.handlers = new EventHandlerStore(database);
        this.rights = rights;
        this.planner = planner;
        this.performer = performer;
        this.metrics = metrics;
        bus.subscribe(MessagesPublished.class, _ -> loop.wake());
    }

    HandlerRunner start() {
        loop.start();
        return this;
    }

    /**
     * Takes messages of workspaces that have none in work. Further ones of a workspace come once its line has ended.
     */
    private Duration runOnce() {
        Set<Workspace> busy = lines.busy();
        int workspacesMax = WORKSPACES_MAX - busy.size();
        if (workspacesMax > 0) {
            store.claim(busy, workspacesMax, SHARE, CLAIM_TIME).stream()
                    .collect(Collectors.groupingBy(ClaimedExecution::workspace))
                    .forEach((workspace, claimed) -> lines.add(workspace, claimed, loop::wake));
        }
        return HEALING_INTERVAL;
    }

    /** Works on messages of a workspace, all at the same time. */
    private void work(List<ClaimedExecution> claimed) {
        List<Thread> threads = new ArrayList<>();
        for (ClaimedExecution one : claimed) {
            threads.add(Thread.ofVirtual().name("event-handler").start(() -> work(one)));
        }
        try {
            for (Thread thread : threads) {
                thread.join();
            }
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        }
    }

    private void work(ClaimedExecution claimed) {
        try {
            Optional<EventHandler> handler = handlers.find(claimed.key().handler());
            if (handler.isEmpty()) {
                end(claimed, new ActionOutcome.Failed("The handler was deleted."));
            } else if (claimed.state() == ExecutionState.NOTED) {
                decide(handler.get(), claimed);
            } else {
                act(handler.get(), claimed);
            }
        } catch (RuntimeException failure) {
            log.atWarn()
                    .addKeyValue("handler", claimed.key().handler())
                    .addKeyValue("message", claimed.key().message())
                    .setCause(failure)
                    .log("A message could not be handled");
            if (!mayWait(claimed)) {
                end(
                        claimed,
                        new ActionOutcome.Failed(
                                "It failed for a reason of our own, which the scheduler's log tells."));
            }
        }
    }

    private void decide(EventHandler handler, ClaimedExecution noted) {
        HandlerPlan plan;
        ExecutionStore.Link link;
        try {
            UUID first = noted.run().map(RunId::value).orElse(noted.key().message());
            link = noted.run()
                    .flatMap(store::link)
                    .map(before -> new ExecutionStore.Link(before.depth() + 1, before.chain()))
                    .orElseGet(() -> new ExecutionStore.Link(1, first));
            plan = refusal(link)
                    .<HandlerPlan>map(HandlerPlan.Failed::new)
                    .orElseGet(() -> planner.plan(handler, noted, rights(handler)));
        } catch (MillraceException failure) {
            end(noted, failed(noted, failure));
            return;
        }
        switch (plan) {
            case HandlerPlan.Actions(List<PlannedAction> actions) ->
                store.plan(noted.key(), actions, link).stream()
                        .filter(planned -> planned.state() == ExecutionState.PLANNED)
                        .forEach(planned -> act(handler, planned));
            case HandlerPlan.Failed(String reason) -> end(noted, new ActionOutcome.Failed(reason));
            case HandlerPlan.Skipped(String reason) -> {
                store.end(noted.key(), ExecutionState.SKIPPED, reason);
                metrics.count("", "skipped");
            }
        }
    }

    private Optional<String> refusal(ExecutionStore.Link link) {
        String advice = ", as many as may be: let the handler take messages of other workflows, or fewer of them.";
        if (link.depth() > DEPTH_MAX) {
            return Optional.of("The run of this message is the last of " + DEPTH_MAX
                    + " that handlers have started one after another" + advice);
        }
        return store.chainLength(link.chain(), CHAIN_MAX) >= CHAIN_MAX
                ? Optional.of(
                        CHAIN_MAX + " actions follow from the run or message " + link.chain() + " by handlers" + advice)
                : Optional.empty();
    }

    private Access rights(EventHandler handler) {
        return rights.of(handler.workspace(), "event handler " + handler.path(), handler.actor(), handler.credential());
    }

    private void act(EventHandler handler, ClaimedExecution planned) {
        ActionOutcome outcome;
        try {
            outcome = new ActionOutcome.Done(performer.perform(planned, rights(handler)));
        } catch (MillraceException failure) {
            outcome = failed(planned, failure);
        }
        end(planned, outcome);
    }

    private static ActionOutcome failed(ClaimedExecution one, MillraceException failure) {
        String reason = String.valueOf(failure.getMessage());
        boolean isLater = TEMPORARY.contains(failure.code()) && mayWait(one);
        return isLater ? new ActionOutcome.Later(reason) : new ActionOutcome.Failed(reason);
    }

    private static boolean mayWait(ClaimedExecution one) {
        return WallClock.now().isBefore(one.notedAt().plus(PATIENCE));
    }

    private void end(ClaimedExecution one, ActionOutcome outcome) {
        switch (outcome) {
            case ActionOutcome.Done(String note) -> {
                store.end(one.key(), ExecutionState.COMPLETED, note);
                metrics.count(one.action(), "completed");
            }
            case ActionOutcome.Failed(String reason) -> {
                store.end(one.key(), ExecutionState.FAILED, reason);
                metrics.count(one.action(), "failed");
            }
            case ActionOutcome.Later(String reason) -> {
                metrics.count(one.action(), "deferred");
                log.atWarn()
                        .addKeyValue("handler", one.key().handler())
                        .addKeyValue("message", one.key().message())
                        .addKeyValue("reason", reason)
                        .log("An action of an event handler could not be done and will be tried again");
            }
        }
    }

    @Override
    public void close() {
        loop.close();
    }
}
