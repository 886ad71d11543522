package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.flow.core.graph.FlowModel;
import dev.millrace.scheduler.flow.core.graph.StepKey;
import dev.millrace.scheduler.flow.core.machine.CacheUse;
import dev.millrace.scheduler.flow.core.machine.Decision;
import dev.millrace.scheduler.flow.core.machine.FlowEvent;
import dev.millrace.scheduler.flow.core.machine.FlowMachine;
import dev.millrace.scheduler.flow.core.machine.RunKeys;
import dev.millrace.scheduler.flow.core.machine.RunLimit;
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
 * A flow in progress as its lane remembers it: the state after {@code version} transitions. Owned by whoever drives the lane. After a flush
 * that failed it may be ahead of the database and must be thrown away.
 *
 * <p>A transition that may evaluate expressions is prepared first, by another thread to which the flow is handed for that time; then the lane
 * makes it. What is prepared is in the state already, and what the lane sees of the flow is not ahead of what it has made.
 */
public final class LiveFlow {
    private final QueuedJob root;
    private final FlowModel model;
    private final FlowState state;
    private final Set<StepKey> waits = new HashSet<>();
    private final List<PreparedMove> prepared = new ArrayList<>();
    /** How many of the prepared moves have been made. */
    private int made;

    /** Ids of the runs that the moves since the last commit start: planned again, they are to start the same. */
    private final List<RunId> started = new ArrayList<>();

    private int startedAgain;
    /** Whether it has made a move since the last commit that was not prepared. */
    private boolean unprepared;

    /** Whether a transition is being made in the state; true for good where a bug of ours ended it half-way. */
    private boolean changing;

    private @Nullable Before before;
    private @Nullable RunKeys keys;
    private long version;
    private boolean held;
    private boolean leavesJobs;
    /** What features remember of the flow. */
    private Map<Class<?>, Object> notes = new HashMap<>();

    /**
     * A transition that was worked out ahead, off the lane: the state includes it already.
     *
     * @param liveBefore the live steps before it
     */
    private record PreparedMove(Move move, Set<StepKey> liveBefore, Decision decision) {}

    /** What is remembered beside the state, as it was before the first prepared move was made. */
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

    /** The job that stands for the whole run. */
    public QueuedJob root() {
        return root;
    }

    /** How many transitions the state includes. */
    long version() {
        return version;
    }

    /** Whether the run is paused. */
    public boolean isHeld() {
        return held;
    }

    /**
     * Works out moves ahead of the lane that is to make them, and may block. The flow belongs to the calling thread until it is handed back.
     */
    void prepare(List<Move> moves) {
        for (Move move : moves) {
            if (move instanceof Move.Keys) {
                keys = RunKeys.of(model, root.run(), input());
            } else {
                prepared.add(new PreparedMove(move, Set.copyOf(state.live()), decide(move)));
            }
        }
    }

    /** Works out how a run begins that has yet to be accepted; what its limit or a broken key says makes that needless. */
    void prepareToBegin() {
        prepare(List.of(new Move.Keys()));
        if (keys().limit() instanceof RunLimit.None && !(keys().cache() instanceof CacheUse.Asking.Unusable)) {
            prepare(List.of(new Move.Reopen()));
        }
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

    /** Whether a bug of ours ended a transition half-way: the state is of no use then. */
    boolean isBroken() {
        return changing;
    }

    /** Makes none of the prepared moves: what was planned with them did not happen. */
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

    /** The id of the next run that it starts. */
    public RunId nextStarted(Supplier<RunId> ids) {
        if (startedAgain == started.size()) {
            started.add(ids.get());
        }
        return started.get(startedAgain++);
    }

    /** Remembers what {@link #rewind} restores, before the first change since the last commit. */
    private void keepBefore() {
        if (before == null) {
            before = new Before(Set.copyOf(waits), version, held, leavesJobs, Map.copyOf(notes));
        }
    }

    /** A batch that moved the flow is durable. */
    void committed() {
        if (made == prepared.size()) {
            settle();
        }
    }

    /** What was planned is durable. False where prepared moves were not made: the state is ahead then, and of no use. */
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

    /** The next decision: as it was prepared, or worked out now where that is plain. Throws {@link MoveNotPrepared}. */
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

    /** Whether all that it has made was prepared, so that {@link #rewind} undoes it. */
    boolean canRewind() {
        return !unprepared;
    }

    /** Whether its decisions may take an evaluation, or read results that are not in memory. */
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

    /** The keys of its flow's options; throws {@link MoveNotPrepared} where they take an evaluation. */
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

    /** Makes one transition and tells what it means for the queue. Throws {@link MoveNotPrepared}, and has changed nothing then. */
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

    /** Notes a change of the run that is none of its state: whoever relies on the version is to look again. */
    void touch() {
        if (mayBlock()) {
            keepBefore();
        }
        version++;
    }

    /** A live step is a wait. */
    void knowWait(StepKey key) {
        waits.add(key);
    }

    /** The steps that have begun and not ended, and the waits before steps. */
    public Set<StepKey> live() {
        return made < prepared.size() ? prepared.get(made).liveBefore() : state.live();
    }

    /** How many jobs it has in the queue or at workers. */
    int jobsInProgress() {
        return Math.max(0, live().size() - waits.size());
    }

    /** What a feature remembers of the flow, as it will stand once what is planned is durable; empty where that is nothing. */
    public <T> Optional<T> recall(Class<T> type) {
        return Optional.ofNullable(type.cast(notes.get(type)));
    }

    /**
     * Has a feature remember something of the flow as long as the flow is in memory, in the place of what it remembered before.
     *
     * @param note cannot be changed, so that what is planned in vain can be undone
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

    /** Whether nothing happens before a wait ends, so that the flow need not be remembered. */
    boolean isDormant() {
        return !waits.isEmpty() && waits.containsAll(live());
    }

    /** Begins whatever can begin, after rows of the history were voided. */
    public Decision reopen() {
        Decision decision = next(new Move.Reopen());
        decision.waits().forEach(wait -> waits.add(wait.key()));
        version++;
        return decision;
    }

    /** Ends the run now, as failed. */
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

    /** Whether jobs were live that the end of the run, if the last transition was that, has not ended. */
    boolean leavesJobs() {
        return leavesJobs;
    }

    public FlowModel model() {
        return model;
    }

    /** The input of the run. */
    public Json input() {
        return state.input();
    }

    /** Rough bytes of memory. */
    long weight() {
        return state.weight();
    }
}
