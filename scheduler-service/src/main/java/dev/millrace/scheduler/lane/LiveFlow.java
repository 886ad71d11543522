package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.expression.evaluator.EvaluationNeeded;
import dev.millrace.scheduler.expression.evaluator.Evaluators;
import dev.millrace.scheduler.flow.core.graph.FlowModel;
import dev.millrace.scheduler.flow.core.graph.StepKey;
import dev.millrace.scheduler.flow.core.machine.Decision;
import dev.millrace.scheduler.flow.core.machine.FlowEvent;
import dev.millrace.scheduler.flow.core.machine.FlowMachine;
import dev.millrace.scheduler.flow.core.machine.RunKeys;
import dev.millrace.scheduler.flow.core.state.FlowState;
import dev.millrace.scheduler.queue.core.IdSource;
import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.QueuedJob;
import dev.millrace.scheduler.queue.core.RunId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A flow in progress in its lane's memory: its state after {@code version} transitions. Owned by the lane's driver.
 * After a failed flush it may be ahead of the database and must be dropped.
 *
 * <p>A transition that may evaluate expressions is first prepared by another thread, which owns the flow during that
 * time. Then the lane makes the transition. The state already includes prepared transitions, but the lane sees only
 * those that it has made.
 */
public final class LiveFlow {
    private final QueuedJob root;
    private final FlowModel model;
    private final FlowState state;
    private final Set<StepKey> waits = new HashSet<>();
    private final List<PreparedMove> prepared = new ArrayList<>();
    /** Number of prepared moves that have been made. */
    private int made;

    /**
     * Ids of the runs that moves since the last commit start. If these moves are planned again, they start the same
     * runs.
     */
    private final List<RunId> started = new ArrayList<>();

    private int startedAgain;
    /** Whether a move since the last commit was not prepared. */
    private boolean unprepared;

    /** Whether a transition is being made. Stays true if a defect of Millrace interrupted a transition. */
    private boolean changing;

    /** Whether the run is to be accepted without its first decision. The state is useless then. */
    private boolean undecided;

    private @Nullable Before before;
    private @Nullable RunKeys keys;
    private long version;
    private boolean held;
    private boolean leavesJobs;
    /** Notes of features about the flow. */
    private Map<Class<?>, Object> notes = new HashMap<>();

    /**
     * A transition that was prepared off the lane, and that the state already includes.
     *
     * @param liveBefore the live steps before it
     */
    private record PreparedMove(Move move, Set<StepKey> liveBefore, Decision decision) {}

    /** The fields besides the state, as they were before the first prepared move was made. */
    private record Before(
            Set<StepKey> waits, long version, boolean held, boolean leavesJobs, Map<Class<?>, Object> notes) {}

    public LiveFlow(QueuedJob root, FlowModel model, FlowState state, long version, boolean held, IdSource ids) {
        this(root, model, state, version, held, ids, null);
    }

    public LiveFlow(
            QueuedJob root,
            FlowModel model,
            FlowState state,
            long version,
            boolean held,
            IdSource ids,
            @Nullable RunKeys keys) {
        state.use(ids);
        this.keys = keys;
        this.root = root;
        this.model = model;
        this.state = state;
        this.version = version;
        this.held = held;
        state.pause(held);
    }

    /** The job that represents the whole run. */
    public QueuedJob root() {
        return root;
    }

    /** Number of transitions that the state includes. */
    long version() {
        return version;
    }

    /** Whether the run is paused. */
    public boolean isHeld() {
        return held;
    }

    /** Prepares moves ahead of the lane. May block. The calling thread owns the flow until it hands the flow back. */
    void prepare(List<Move> moves) {
        for (Move move : moves) {
            if (move instanceof Move.Keys) {
                keys = RunKeys.of(model, root.run(), input());
            } else {
                prepared.add(new PreparedMove(move, Set.copyOf(state.live()), decide(move)));
            }
        }
    }

    /** Prepares the beginning of a run, unless its keys keep it from beginning. */
    void prepareToBegin() {
        prepare(List.of(new Move.Keys()));
        if (keys().letBegin()) {
            prepare(List.of(new Move.Reopen()));
        }
    }

    /**
     * Prepares the beginning of a run that is about to be accepted. If the beginning evaluates an expression, leaves the
     * run undecided.
     */
    void prepareToAccept() {
        try {
            Evaluators.doWithout(this::prepareToBegin);
        } catch (EvaluationNeeded needed) {
            leaveUndecided();
        }
    }

    /**
     * Leaves the first decision of the run to a later command. A run whose beginning evaluates expressions must be
     * durable before that, as they may take long and may even kill their evaluators.
     */
    public void leaveUndecided() {
        undecided = true;
    }

    boolean isUndecided() {
        return undecided;
    }

    private Decision decide(Move move) {
        return change(() -> switch (move) {
            case Move.On(FlowEvent event) -> FlowMachine.decide(model, state, event);
            case Move.Reopen _ -> FlowMachine.reopen(model, state);
            case Move.Keys _ -> throw new IllegalArgumentException("keys are no transition");
        });
    }

    private Decision change(Supplier<Decision> transition) {
        changing = true;
        Decision decision = transition.get();
        changing = false;
        return decision;
    }

    /** Whether a defect of Millrace interrupted a transition, so that the state is useless. */
    boolean isBroken() {
        return changing;
    }

    /** Undoes all prepared moves, because the flush that made them failed. They may be made again. */
    void rewind() {
        Before saved = before;
        if (saved != null) {
            waits.clear();
            waits.addAll(saved.waits());
            version = saved.version();
            held = saved.held();
            leavesJobs = saved.leavesJobs();
            notes = new HashMap<>(saved.notes());
            before = null;
        }
        made = 0;
        startedAgain = 0;
    }

    /** The id of the next run that the flow starts. */
    public RunId nextStarted(Supplier<RunId> ids) {
        if (startedAgain == started.size()) {
            started.add(ids.get());
        }
        return started.get(startedAgain++);
    }

    /** Saves what {@link #rewind} restores, before the first change since the last commit. */
    private void keepBefore() {
        if (before == null) {
            before = new Before(Set.copyOf(waits), version, held, leavesJobs, Map.copyOf(notes));
        }
    }

    /** Notes that a batch that moved the flow is durable. */
    void committed() {
        if (made == prepared.size()) {
            settle();
        }
    }

    /**
     * Notes that the planned moves are durable. Returns false if prepared moves were not made: the state is ahead then,
     * and useless.
     */
    boolean settle() {
        boolean settled = made == prepared.size();
        prepared.clear();
        started.clear();
        made = 0;
        startedAgain = 0;
        unprepared = false;
        before = null;
        return settled;
    }

    /**
     * The next decision: as prepared, or made now if it evaluates nothing.
     *
     * @throws MoveNotPrepared if the move has to be prepared first
     */
    private Decision next(Move move) {
        if (made < prepared.size() && prepared.get(made).move().equals(move)) {
            keepBefore();
            return prepared.get(made++).decision();
        }
        if (made < prepared.size()) {
            throw new PreparedMovesOutdated(root.run());
        }
        if (mayBlock() && mayCompute(move)) {
            throw new MoveNotPrepared(this, move);
        }
        unprepared = true;
        return decide(move);
    }

    /** Whether all moves since the last commit were prepared, so that {@link #rewind} undoes them. */
    boolean canRewind() {
        return !unprepared;
    }

    /** Whether decisions may evaluate expressions, or read results that are not in memory. */
    boolean mayBlock() {
        return model.computes() || state.mayReadStored();
    }

    private static boolean mayCompute(Move move) {
        return switch (move) {
            case Move.Reopen _, Move.Keys _ -> true;
            case Move.On(FlowEvent event) ->
                switch (event) {
                    case FlowEvent.Started _, FlowEvent.StepEnded _, FlowEvent.SkipRequested _, FlowEvent.Resumed _ ->
                        true;
                    case FlowEvent.Paused _, FlowEvent.CancelRequested _ -> false;
                };
        };
    }

    /**
     * The keys in the flow's options.
     *
     * @throws MoveNotPrepared if they evaluate expressions
     */
    public RunKeys keys() {
        RunKeys known = keys;
        if (known == null) {
            if (!model.hasPlainKeys()) {
                throw new MoveNotPrepared(this, new Move.Keys());
            }
            known = RunKeys.of(model, root.run(), input());
            keys = known;
        }
        return known;
    }

    /**
     * Makes one transition, and returns its consequences for the queue.
     *
     * @throws MoveNotPrepared if the transition has to be prepared first; nothing has changed then
     */
    public Decision on(FlowEvent event) {
        int liveBefore = live().size();
        Decision decision = next(new Move.On(event));
        leavesJobs = liveBefore > (endsOne(event) ? 1 : 0);
        version++;
        switch (event) {
            case FlowEvent.StepEnded ended -> waits.remove(ended.key());
            case FlowEvent.SkipRequested _ -> waits.retainAll(live());
            case FlowEvent.Paused _ -> held = true;
            case FlowEvent.Resumed _ -> held = false;
            case FlowEvent.Started _, FlowEvent.CancelRequested _ -> {}
        }
        if (!decision.withdrawals().isEmpty()) {
            waits.retainAll(live());
        }
        decision.waits().forEach(wait -> waits.add(wait.key()));
        return decision;
    }

    private static boolean endsOne(FlowEvent event) {
        return switch (event) {
            case FlowEvent.StepEnded _, FlowEvent.SkipRequested _ -> true;
            case FlowEvent.Started _, FlowEvent.CancelRequested _, FlowEvent.Paused _, FlowEvent.Resumed _ -> false;
        };
    }

    /**
     * Notes a change of the run outside the flow's state. The new version makes others that rely on the old one look
     * again.
     */
    void touch() {
        if (mayBlock()) {
            keepBefore();
        }
        version++;
    }

    /** Notes that a live step is a wait. */
    void knowWait(StepKey key) {
        waits.add(key);
    }

    /** The steps that have begun and not ended, and the waits before steps. */
    public Set<StepKey> live() {
        return made < prepared.size() ? prepared.get(made).liveBefore() : state.live();
    }

    /** Number of jobs in the queue or at workers. */
    int jobsInProgress() {
        return Math.max(0, live().size() - waits.size());
    }

    /** A feature's note about the flow, as of the planned moves; empty if there is none. */
    public <T> Optional<T> recall(Class<T> type) {
        return Optional.ofNullable(type.cast(notes.get(type)));
    }

    /**
     * Replaces a feature's note about the flow. It stays as long as the flow is in memory.
     *
     * @param note an immutable object, so that it can be restored if the flush fails
     */
    public <T> void remember(Class<T> type, T note) {
        if (mayBlock()) {
            keepBefore();
        }
        notes.put(type, note);
    }

    /** Whether the step has begun and not ended. */
    public boolean isLive(StepKey key) {
        return live().contains(key);
    }

    /** The key under which the step is live: its own, or that of the wait before it. */
    public Optional<StepKey> liveKey(StepKey step) {
        return FlowState.liveKey(live(), step);
    }

    /** Whether nothing can happen before a wait ends, so that the flow may be dropped from memory. */
    boolean isDormant() {
        return !waits.isEmpty() && waits.containsAll(live());
    }

    /** Starts everything that can start, after rows of the history were voided. */
    public Decision reopen() {
        Decision decision = next(new Move.Reopen());
        decision.waits().forEach(wait -> waits.add(wait.key()));
        version++;
        return decision;
    }

    /** Fails the run now. */
    public Decision fail(JobError error) {
        if (made < prepared.size()) {
            throw new PreparedMovesOutdated(root.run());
        }
        unprepared = true;
        Decision decision = change(() -> FlowMachine.fail(model, state, error));
        leavesJobs = !state.live().isEmpty();
        version++;
        return decision;
    }

    /** Whether the last transition ended the run while jobs were live. */
    boolean leavesJobs() {
        return leavesJobs;
    }

    public FlowModel model() {
        return model;
    }

    public Json input() {
        return state.input();
    }

    /** Estimate of the memory that the flow takes, in bytes. */
    long weight() {
        return state.weight();
    }
}
