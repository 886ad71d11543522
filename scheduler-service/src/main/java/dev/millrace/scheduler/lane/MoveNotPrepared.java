package dev.millrace.scheduler.lane;

/** A flow was asked for a move that may evaluate expressions, which no lane does: the item is to be set aside until it is prepared. */
final class MoveNotPrepared extends RuntimeException {
    private final transient LiveFlow flow;
    private final transient Move move;

    MoveNotPrepared(LiveFlow flow, Move move) {
        super("a move of run " + flow.root().run() + " is not prepared", null, false, false);
        this.flow = flow;
        this.move = move;
    }

    LiveFlow flow() {
        return flow;
    }

    Move move() {
        return move;
    }
}
