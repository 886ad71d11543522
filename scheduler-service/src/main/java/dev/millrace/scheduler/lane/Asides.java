package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.queue.core.RunId;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Sets items aside whose flows evaluate expressions, read large results or are not compiled yet, so that their lane never waits for a value: others go on meanwhile, and the events of one run
 * keep their order. Each round of a lane goes through {@link #admit}, which says what may be planned now, and ends with {@link #endRound}.
 * Owned by whoever drives the lane.
 *
 * <p>Items whose moves are known before they are planned are prepared at once, those of one run together. Others are planned alone: where that
 * meets a move that is not prepared, nothing has happened, and they are set aside then.
 */
final class Asides {
    private final LaneContext context;
    private final LiveFlows flows;
    private final Consumer<LaneCommand> inbox;
    private final Map<RunId, Aside> asides = new LinkedHashMap<>();
    private final List<LaneCommand> carried = new ArrayList<>();
    private final List<Preparation> unstarted = new ArrayList<>();

    /**
     * What may be planned now.
     *
     * @param together in one batch
     * @param alone each in a batch of its own
     */
    record Round(List<LaneCommand> together, List<LaneCommand> alone) {
        boolean isEmpty() {
            return together.isEmpty() && alone.isEmpty();
        }
    }

    Asides(LaneContext context, LiveFlows flows, Consumer<LaneCommand> inbox) {
        this.context = context;
        this.flows = flows;
        this.inbox = inbox;
    }

    /** How many items wait. */
    int size() {
        int size = carried.size();
        for (Aside aside : asides.values()) {
            size += aside.size();
        }
        return size;
    }

    /** Items whose turn has come since they were behind others: they go before what is new. */
    List<LaneCommand> takeCarried() {
        List<LaneCommand> taken = List.copyOf(carried);
        carried.clear();
        return taken;
    }

    boolean hasCarried() {
        return !carried.isEmpty();
    }

    /** Starts what is to be prepared, in threads of its own. */
    void startAll() {
        unstarted.forEach(Preparation::start);
        unstarted.clear();
    }

    /** Takes one of the preparations that have not been started, for the caller to run. */
    Optional<Preparation> takeUnstarted() {
        return unstarted.isEmpty() ? Optional.empty() : Optional.of(unstarted.removeLast());
    }

    /** Takes what is prepared, puts what waits for its run behind that, and sets aside what is to be prepared; says what is left. */
    Round admit(List<LaneCommand> items) {
        Round round = new Round(new ArrayList<>(), new ArrayList<>());
        Map<RunId, List<LaneCommand>> computing = new LinkedHashMap<>();
        for (LaneCommand item : items) {
            if (item instanceof TakePrepared(RunId run, Preparation preparation)) {
                take(run, preparation, round);
                continue;
            }
            Optional<RunId> run = item.run(context.leases());
            Aside before = run.map(asides::get).orElse(null);
            if (before != null) {
                addBehind(before, item);
            } else if (run.isPresent() && item.mayCompute(flows.find(run.get()))) {
                computing.computeIfAbsent(run.get(), _ -> new ArrayList<>()).add(item);
            } else {
                round.together().add(item);
            }
        }
        computing.forEach((run, ofRun) -> admit(run, ofRun, round));
        return round;
    }

    private static void addBehind(Aside aside, LaneCommand item) {
        if (item.isUrgent() && aside.preparation().isPresent()) {
            aside.addUrgent(item);
        } else {
            aside.add(item);
        }
    }

    private void take(RunId run, Preparation preparation, Round round) {
        Aside aside = asides.get(run);
        if (aside == null || aside.preparation().filter(preparation::equals).isEmpty()) {
            return;
        }
        Optional<Throwable> failure = preparation.failure();
        if (preparation.isCanceled()) {
            asides.remove(run);
            carried.addAll(aside.all());
        } else if (failure.isPresent()) {
            asides.remove(run);
            aside.items()
                    .forEach(item ->
                            item.afterBug(failure.get()).ifPresentOrElse(carried::add, () -> item.fail(failure.get())));
            carried.addAll(aside.behind());
        } else {
            aside.finish();
            for (LiveFlow flow : preparation.flows()) {
                if (preparation.isFresh()) {
                    flows.keepFresh(flow);
                } else {
                    flows.put(flow);
                }
            }
            (preparation.isAlone() ? round.alone() : round.together()).addAll(aside.items());
        }
    }

    private void admit(RunId run, List<LaneCommand> items, Round round) {
        List<Preparation.Part> toBegin = items.getFirst().toBegin(context);
        if (!toBegin.isEmpty()) {
            setAside(run, items, 1, toBegin, true);
            return;
        }
        LiveFlow flow = flows.find(run).orElse(null);
        List<Move> moves = flow == null ? List.of() : knownMoves(flow, items);
        if (flow != null && !moves.isEmpty()) {
            flows.forget(run);
            List<Preparation.Part> parts = List.of(new Preparation.Part(flow, new Preparation.Moves.Given(moves)));
            setAside(run, items, moves.size(), parts, false);
        } else {
            round.alone().add(items.getFirst());
            if (items.size() > 1) {
                Aside rest = new Aside(run, List.of(), null);
                items.stream().skip(1).forEach(rest::add);
                asides.put(run, rest);
            }
        }
    }

    private void setAside(
            RunId run, List<LaneCommand> items, int prepared, List<Preparation.Part> parts, boolean fresh) {
        Preparation preparation = new Preparation(
                parts, fresh, false, context.largeReads(), made -> inbox.accept(new TakePrepared(run, made)));
        Aside aside = new Aside(run, List.copyOf(items.subList(0, prepared)), preparation);
        items.stream().skip(prepared).forEach(item -> addBehind(aside, item));
        asides.put(run, aside);
        unstarted.add(preparation);
    }

    /** The moves of as many items as are known before they are planned. */
    private List<Move> knownMoves(LiveFlow flow, List<LaneCommand> items) {
        List<Move> moves = new ArrayList<>();
        for (LaneCommand item : items) {
            Optional<Move> move = item.knownMove(context);
            if (move.isEmpty() || moves.contains(move.get())) {
                break;
            }
            moves.add(move.get());
            if (flow.model().endsStepsAtOnce()) {
                break;
            }
        }
        return moves;
    }

    /** An item met a move that is not prepared; nothing of it has happened. */
    void setAside(LaneCommand item, MoveNotPrepared missing) {
        LiveFlow flow = missing.flow();
        RunId run = flow.root().run();
        Aside aside = asides.get(run);
        if (aside != null && aside.preparation().isPresent()) {
            aside.add(item);
            return;
        }
        if (!flow.canRewind()) {
            flows.forgetPrepared(run);
            carried.add(item);
            return;
        }
        flow.rewind();
        boolean fresh = flows.isFresh(flow);
        flows.forget(run);
        Preparation preparation = new Preparation(
                List.of(new Preparation.Part(flow, new Preparation.Moves.Given(List.of(missing.move())))),
                fresh,
                true,
                context.largeReads(),
                made -> inbox.accept(new TakePrepared(run, made)));
        await(run, item, preparation);
    }

    /** An item met a flow that is not compiled; nothing of it has happened. */
    void setAside(LaneCommand item, ModelNotCompiled missing) {
        RunId run = missing.run();
        Aside aside = asides.get(run);
        if (aside != null && aside.preparation().isPresent()) {
            aside.add(item);
        } else {
            await(run, item, new Preparation(missing.compilation(), made -> inbox.accept(new TakePrepared(run, made))));
        }
    }

    private void await(RunId run, LaneCommand item, Preparation preparation) {
        Aside aside = asides.get(run);
        if (aside == null) {
            asides.put(run, new Aside(run, List.of(item), preparation));
        } else {
            aside.await(List.of(item), preparation);
        }
        unstarted.add(preparation);
    }

    /** What was prepared has been planned, or is of no use: lets those go on that waited behind it. */
    void endRound() {
        for (Iterator<Aside> each = asides.values().iterator(); each.hasNext(); ) {
            Aside aside = each.next();
            if (aside.preparation().isEmpty()) {
                each.remove();
                flows.find(aside.run()).filter(flow -> !flow.settle()).ifPresent(_ -> flows.forget(aside.run()));
                carried.addAll(aside.behind());
            }
        }
        flows.forgetFresh();
    }

    /** Gives up all that is being prepared. */
    void close() {
        asides.values().forEach(aside -> aside.preparation().ifPresent(Preparation::cancel));
    }
}
