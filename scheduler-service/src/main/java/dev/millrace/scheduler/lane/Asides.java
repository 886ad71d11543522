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
 * Sets commands aside whose flows evaluate expressions, read large results or are not compiled yet, so that the lane
 * never waits for a value. Other runs continue meanwhile, and the events of one run keep their order. Owned by the
 * lane's driver.
 *
 * <p>Each round of a lane passes its commands through {@link #admit}, which returns the commands that may be planned
 * now, and ends with {@link #endRound}. Commands that compute nothing are planned together. If a command may compute and
 * its move is known in advance, the move is prepared first, together with those of other commands of its run. If its
 * move is unknown, the command is planned alone. Should it meet a move that is not prepared, nothing has happened yet,
 * and the command is set aside then.
 */
final class Asides {
    private final LaneContext context;
    private final LiveFlows flows;
    private final Consumer<LaneCommand> inbox;
    private final Map<RunId, Aside> asides = new LinkedHashMap<>();
    private final List<LaneCommand> carried = new ArrayList<>();
    private final List<Preparation> unstarted = new ArrayList<>();

    /**
     * The commands that may be planned now.
     *
     * @param together commands for one batch
     * @param alone commands that each need a batch of their own
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

    /** Number of waiting commands. */
    int size() {
        int size = carried.size();
        for (Aside aside : asides.values()) {
            size += aside.size();
        }
        return size;
    }

    /** Takes the commands that no longer wait behind others. They come before new commands. */
    List<LaneCommand> takeCarried() {
        List<LaneCommand> taken = List.copyOf(carried);
        carried.clear();
        return taken;
    }

    boolean hasCarried() {
        return !carried.isEmpty();
    }

    /** Starts all preparations that have not been started, on threads of their own. */
    void startAll() {
        unstarted.forEach(Preparation::start);
        unstarted.clear();
    }

    /** Takes a preparation that has not been started, for the caller to run. */
    Optional<Preparation> takeUnstarted() {
        return unstarted.isEmpty() ? Optional.empty() : Optional.of(unstarted.removeLast());
    }

    /**
     * Accepts finished preparations, puts commands behind earlier ones of their run, and sets aside those to prepare.
     * Returns the rest.
     */
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
            aside.all().forEach(item -> item.afterCanceledPreparation().ifPresent(carried::add));
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

    /** The moves of the first commands, up to the first whose move is unknown before it is planned. */
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

    /** Sets aside a command that met a move that is not prepared. Nothing of the command has happened. */
    void setAside(LaneCommand item, MoveNotPrepared missing) {
        Optional<LaneCommand> undecided = item.undecided();
        if (undecided.isPresent()) {
            carried.add(undecided.get());
            return;
        }
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

    /** Sets aside a command that met a flow that is not compiled. Nothing of the command has happened. */
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

    /**
     * Ends a round in which the prepared commands were planned, or turned out to be useless: releases the commands
     * behind them.
     */
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

    /** Cancels all preparations. */
    void close() {
        asides.values().forEach(aside -> aside.preparation().ifPresent(Preparation::cancel));
    }
}
